#include "codegen/reference/usual_size.hpp"

namespace takt::codegen {

double usual_size(const std::string& unit) {
  if (unit == "Pa") return 1e5;
  if (unit == "K") return 300.0;
  if (unit == "J/kg") return 1e5;
  if (unit == "W" || unit == "J") return 1.0;
  return 1e-3;
}

}  // namespace takt::codegen
