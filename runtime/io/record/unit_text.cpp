#include "runtime/io/record/unit_text.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace takt {
namespace {

struct Prefix {
  double from, factor;  // numbers from there on
  const char* text;
};
constexpr std::array<Prefix, 7> prefixes{{{1e10, 1e9, "G"},
                                          {1e7, 1e6, "M"},
                                          {1e4, 1e3, "k"},
                                          {0.05, 1.0, ""},
                                          {5e-5, 1e-3, "m"},
                                          {5e-8, 1e-6, "\xc2\xb5"},
                                          {0.0, 1e-9, "n"}}};

constexpr std::array<std::string_view, 12> with_prefix{"V", "A", "W", "J", "Pa", "N", "F", "H", "Ohm", "C", "Wb", "Hz"};

std::string_view first_factor(std::string_view unit) { return unit.substr(0, unit.find_first_of("*/^")); }

bool takes_prefix(std::string_view unit, bool small) {
  const std::string_view first = first_factor(unit);
  if (unit.substr(first.size()).starts_with('^')) return false;
  for (const std::string_view known : with_prefix)
    if (first == known) return true;
  return small && (unit == "s" || unit == "m" || unit == "K");
}

void replace(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t place = text.find(from); place != std::string::npos; place = text.find(from, place + to.size()))
    text.replace(place, from.size(), to);
}

std::string pretty(std::string text) {
  if (text == "1") return "";
  replace(text, "*", "\xc2\xb7");
  replace(text, "Ohm", "\xce\xa9");
  replace(text, "degC",
          "\xc2\xb0"
          "C");
  if (constexpr std::string_view twice = "/s/s"; text.ends_with(twice)) text.replace(text.size() - 2, 2, "^2");
  replace(text, "^2", "\xc2\xb2");
  replace(text, "^3", "\xc2\xb3");
  return text;
}

}  // namespace

ScaledUnit scaled_unit(const std::string& unit, double largest) {
  if (!(largest > 0.0) || !takes_prefix(unit, largest < 0.05)) return {1.0, pretty(unit)};
  for (const Prefix& prefix : prefixes)
    if (largest >= prefix.from) return {prefix.factor, prefix.text + pretty(unit)};
  return {1.0, pretty(unit)};
}

std::string quantity_of(const std::string& unit) {
  constexpr std::pair<std::string_view, const char*> known[] = {{"V", "Voltage"},
                                                                {"A", "Current"},
                                                                {"W", "Power"},
                                                                {"degC", "Temperature"},
                                                                {"K", "Temperature difference"},
                                                                {"N*m", "Torque"},
                                                                {"Pa", "Pressure"},
                                                                {"m/s", "Speed"},
                                                                {"rad/s", "Angular speed"},
                                                                {"kg/s", "Mass flow"},
                                                                {"J", "Energy"},
                                                                {"N", "Force"},
                                                                {"C", "Charge"},
                                                                {"Wb", "Flux linkage"},
                                                                {"m", "Position"},
                                                                {"rad", "Angle"},
                                                                {"kg", "Mass"},
                                                                {"Ohm", "Resistance"},
                                                                {"s", "Time"},
                                                                {"1", "Without unit"},
                                                                {"", "Without unit"},
                                                                {"W/K", "Heat conductance"},
                                                                {"m^3/s", "Volume flow"},
                                                                {"kg/s/s", "Change of mass flow"},
                                                                {"A/s", "Change of current"},
                                                                {"V/s", "Change of voltage"},
                                                                {"K/s", "Change of temperature"},
                                                                {"m/s/s", "Acceleration"},
                                                                {"m/s^2", "Acceleration"},
                                                                {"rad/s/s", "Angular acceleration"}};
  for (const auto& [text, quantity] : known)
    if (text == unit) return quantity;
  return "";
}

}  // namespace takt
