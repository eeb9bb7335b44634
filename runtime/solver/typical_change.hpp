#pragma once
// What counts as small, by unit.

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

}  // namespace takt
