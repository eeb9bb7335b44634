#pragma once
// Units and dimensions. A quantity is text like "5 mOhm", "4 W/K", "25 degC", "20 kHz", "0.3" (dimension 1).

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace takt::codegen {

/// Exponents of m, kg, s, A, K, mol, cd; angle (rad) counts as dimension 1.
struct Dimension {
  std::array<std::int8_t, 7> exponent{};
  friend bool operator==(const Dimension&, const Dimension&) = default;
};

struct Unit {
  Dimension dimension;
  double factor = 1.0;          ///< SI = (value + offset_before) * factor; only degC and degF have an offset
  double offset = 0.0;
};

/// Unit text with prefixes, products, quotients and powers: "kg*m^2", "J/kg/K", "W/(m*K)", "1/s", "%", "rpm", "km/h".
/// An offset unit (degC) is allowed alone only.
[[nodiscard]] std::optional<Unit> parse_unit(std::string_view text);
/// Dimension as SI text for messages, e.g. "V" or "kg*m^2/s^3/A" (named SI units where one fits).
[[nodiscard]] std::string dimension_text(const Dimension& dimension);
/// The closest known unit name to a misspelt one, for hints; empty if nothing is near.
[[nodiscard]] std::string nearest_unit(std::string_view text);

}  // namespace takt::codegen
