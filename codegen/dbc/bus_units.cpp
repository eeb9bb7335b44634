#include "codegen/dbc/bus_units.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace takt::codegen {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 43> aliases{{
    {"Nm", "N*m"},
    {"NM", "N*m"},
    {"nm", "N*m"},
    {"N.m", "N*m"},
    {"N m", "N*m"},
    {"kph", "km/h"},
    {"KPH", "km/h"},
    {"kmh", "km/h"},
    {"km/hr", "km/h"},
    {"Km/h", "km/h"},
    {"MPH", "mph"},
    {"RPM", "rpm"},
    {"1/min", "rpm"},
    {"U/min", "rpm"},
    {"rev/min", "rpm"},
    {"\xC2\xB0", "deg"},
    {"degrees", "deg"},
    {"Deg", "deg"},
    {"Grad", "deg"},
    {"\xC2\xB0/s", "deg/s"},
    {"degrees/s", "deg/s"},
    {"\xC2\xB0"
     "C",
     "degC"},
    {"deg C", "degC"},
    {"DegC", "degC"},
    {"Celsius", "degC"},
    {"\xC2\xB0"
     "F",
     "degF"},
    {"pct", "%"},
    {"percent", "%"},
    {"Percent", "%"},
    {"sec", "s"},
    {"seconds", "s"},
    {"Volts", "V"},
    {"volts", "V"},
    {"Volt", "V"},
    {"Amps", "A"},
    {"amps", "A"},
    {"Amp", "A"},
    {"Ohms", "Ohm"},
    {"ohms", "Ohm"},
    {"m/s2", "m/s^2"},
    {"m/s/s", "m/s^2"},
    {"-", "1"},
    {"Kpa", "kPa"},
}};

/// The unit as we write it.
std::string_view our_text(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  const auto* const it = std::find_if(aliases.begin(), aliases.end(),
                                      [&](const auto& alias) { return alias.first == text; });
  return it != aliases.end() ? it->second : text;
}

}  // namespace

std::optional<Unit> bus_unit(std::string_view text, bool temperature) {
  const std::string_view ours = our_text(text);
  if (ours.empty()) return std::nullopt;
  if (temperature && (ours == "C" || ours == "c" || ours == "deg")) return parse_unit("degC");
  return parse_unit(ours);
}

QuantityKind bus_unit_kind(std::string_view text) { return kind_of_unit(our_text(text)); }

}  // namespace takt::codegen
