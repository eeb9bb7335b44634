#pragma once
// What counts as small, by unit.

#include <cstddef>
#include <string_view>

namespace takt {

/// A change of this size is neither small nor large: one unit, but for units that are small beside what plants are made
/// of.
[[nodiscard]] constexpr double typical_change(std::string_view unit) noexcept {
  if (unit == "J/kg") return 1e5;
  if (unit == "Pa") return 1e4;
  return unit == "W" || unit == "J" || unit == "K" ? 1e2 : 1.0;
}

/// What stays within this rests: 0.1 mV or mA, 0.1 K, 10 Pa, a thousandth elsewhere.
[[nodiscard]] constexpr double resting_change(std::string_view unit) noexcept {
  return (unit == "V" || unit == "A" ? 1e-4 : 1e-3) * typical_change(unit);
}

/// Where an unknown of a Newton block goes first if no step can be taken from where it is: small, and another for each
/// row, so that differences do not vanish.
[[nodiscard]] constexpr double first_nudge(std::string_view unit, std::size_t row) noexcept {
  const double golden = 0.6180339887498949 * static_cast<double>(row);
  return 0.01 * typical_change(unit) * (1.0 + golden - static_cast<double>(static_cast<std::size_t>(golden)));
}

}  // namespace takt
