#include "codegen/text/literal.hpp"

#include <cmath>

#include "codegen/text/quantity.hpp"

namespace takt::codegen {

std::string double_literal(double value) {
  if (std::isnan(value)) return "std::numeric_limits<double>::quiet_NaN()";
  if (std::isinf(value))
    return value > 0.0 ? "std::numeric_limits<double>::infinity()"
                       : "-std::numeric_limits<double>::infinity()";
  std::string text = number_text(value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

}  // namespace takt::codegen
