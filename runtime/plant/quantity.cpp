#include "runtime/plant/quantity.hpp"

#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>

#include "runtime/units/kinds.hpp"
#include "runtime/units/units.hpp"

namespace takt {
namespace {

struct Scale {
  std::string_view name, si;
  double factor, offset;
};

constexpr double pi = 3.14159265358979323846;
constexpr Scale scales[] = {
    {"degC", "K", 1.0, 273.15},
    {"km/h", "m/s", 1.0 / 3.6, 0.0},
    {"rpm", "rad/s", pi / 30.0, 0.0},
    {"1/min", "rad/s", pi / 30.0, 0.0},
    {"deg", "rad", pi / 180.0, 0.0},
    {"%", "1", 0.01, 0.0},
    {"min", "s", 60.0, 0.0},
    {"h", "s", 3600.0, 0.0},
    {"bar", "Pa", 1e5, 0.0},
    {"g", "kg", 1e-3, 0.0},
    {"Ah", "C", 3600.0, 0.0},
    {"Wh", "J", 3600.0, 0.0},
    {"kWh", "J", 3.6e6, 0.0},
    {"l", "m^3", 1e-3, 0.0},
    {"l/min", "m^3/s", 1e-3 / 60.0, 0.0},
};

struct Prefix {
  std::string_view name;
  double factor;
};
constexpr Prefix prefixes[] = {{"p", 1e-12}, {"n", 1e-9}, {"u", 1e-6}, {"m", 1e-3}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}};

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

bool dimensionless(std::string_view unit) { return unit.empty() || unit == "1"; }

/// Value in SI, or NaN where the unit is not one of this quantity.
double convert(double value, std::string_view given, std::string_view unit) {
  if (given.empty() || given == unit) return value;
  if (dimensionless(given) && dimensionless(unit)) return value;
  for (const Scale& scale : scales) {
    if (given == scale.name && (scale.si == unit || (dimensionless(scale.si) && dimensionless(unit)))) {
      return value * scale.factor + scale.offset;
    }
  }
  for (const Prefix& prefix : prefixes) {
    if (given.starts_with(prefix.name) && given.substr(prefix.name.size()) == unit) return value * prefix.factor;
  }
  // What a plant file takes: A*h, 1/ms, kWh/kg.
  const std::optional<Unit> meant = parse_unit(given), own = parse_unit(dimensionless(unit) ? "1" : unit);
  if (!meant || !own || meant->dimension != own->dimension || wrong_kind(kind_of_unit(given), kind_of_unit(unit)))
    return std::nan("");
  return to_si(value, *meant);
}

}  // namespace

double parse_quantity(std::string_view text, std::string_view unit) {
  text = trim(text);
  double value = 0.0;
  const char* end = text.data() + text.size();
  const char* begin = text.starts_with('+') ? text.data() + 1 : text.data();
  const auto [rest, error] = std::from_chars(begin, end, value);
  if (error != std::errc{} || !std::isfinite(value))
    throw std::runtime_error("\"" + std::string(text) + "\" is not a number");
  const std::string_view given = trim({rest, static_cast<std::size_t>(end - rest)});
  if (given.starts_with(','))
    throw std::runtime_error("\"" + std::string(text) + "\" has a comma; decimals are written with a point");
  const double result = convert(value, given, unit);
  if (std::isnan(result)) {
    throw std::runtime_error("\"" + std::string(text) + "\": the unit " + std::string(given) +
                             " does not fit, give it in " +
                             (dimensionless(unit) ? "plain numbers" : std::string(unit)));
  }
  return result;
}

std::int64_t parse_duration(std::string_view text) {
  const double seconds = parse_quantity(text, "s");
  if (!(seconds > 0.0) || seconds > 9e9) {
    throw std::runtime_error("\"" + std::string(text) + "\" is not a duration above zero");
  }
  const auto ns = static_cast<std::int64_t>(std::llround(seconds * 1e9));
  if (ns == 0) throw std::runtime_error("\"" + std::string(text) + "\" is shorter than a nanosecond");
  return ns;
}

}  // namespace takt
