#include "codegen/modelica/unit_texts.hpp"

#include <cctype>

#include "codegen/text/units.hpp"

namespace takt::codegen::modelica {

std::string plant_unit(std::string_view modelica) {
  std::string made;
  char before = '/';
  for (const char each : modelica) {
    const bool exponent = (std::isdigit(static_cast<unsigned char>(each)) != 0 || each == '-') &&
                          std::isalpha(static_cast<unsigned char>(before)) != 0;
    if (exponent) made += '^';
    made += each == '.' ? '*' : each;
    before = each;
  }
  const auto unit = parse_unit(made);
  const bool same_numbers = unit && unit->factor == 1.0 && unit->offset == 0.0;
  return same_numbers && parse_unit(made + "/s") ? made : "1";
}

}  // namespace takt::codegen::modelica
