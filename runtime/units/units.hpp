#pragma once
// Units and dimensions. A quantity is text like "5 mOhm", "4 W/K", "25 degC", "20 kHz", "0.3" (dimension 1).

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace takt {

/// Exponents of m, kg, s, A, K, mol, cd; angle (rad) counts as dimension 1.
struct Dimension {
  std::array<std::int8_t, 7> exponent{};
  friend bool operator==(const Dimension&, const Dimension&) = default;
};

struct Unit {
  Dimension dimension;
  double factor = 1.0;  ///< SI = (value + offset) * factor
  double offset = 0.0;  ///< only degC and degF have one
};

/// Unit text with prefixes, products, quotients and powers: "kg*m^2", "J/kg/K", "W/(m*K)", "1/s", "%", "rpm", "km/h".
/// An offset unit (degC) is allowed alone only.
[[nodiscard]] std::optional<Unit> parse_unit(std::string_view text);
/// Dimension as SI text for messages, e.g. "V" or "kg*m^2/s^3/A" (named SI units where one fits).
[[nodiscard]] std::string dimension_text(const Dimension& dimension);
/// The longest beginning of text that is a unit and ends before an operator or at a word's end: 3 of "W/K*x" ("W/K").
/// @return number of bytes in length; nullopt and 0 if not even the first word is a unit
[[nodiscard]] std::optional<Unit> parse_unit_prefix(std::string_view text, std::size_t& length);
/// The closest known unit name to a misspelt one, for hints; empty if nothing is near.
[[nodiscard]] std::string nearest_unit(std::string_view text);
/// SI value of a number in a unit. Decimal factors are applied by one rounding: 200 ns is exactly the double 2e-7.
[[nodiscard]] double to_si(double value, const Unit& unit);
/// The number in a unit of an SI value.
[[nodiscard]] double from_si(double value, const Unit& unit);

}  // namespace takt
