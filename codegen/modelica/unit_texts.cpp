#include "codegen/modelica/unit_texts.hpp"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cmath>

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

std::string in_unit(const std::string& number, const std::string& unit) {
  if (unit == "1") return number;
  double value = 0.0;
  const char* const end = number.data() + number.size();
  const auto [read, error] = std::from_chars(number.data(), end, value);
  // A name may look like the end of a number: "e".
  const bool plain = error == std::errc() && read == end && std::isfinite(value);
  return plain ? number + " " + unit : fmt::format("({})*(1 {})", number, unit);
}

}  // namespace takt::codegen::modelica
