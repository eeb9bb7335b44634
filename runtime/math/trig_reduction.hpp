#pragma once
// Reduction of an angle to a quarter turn. Internal to runtime/math.

#include "runtime/math/double_double.hpp"

namespace takt::math {

/// x = quadrant * pi/2 + angle (mod 2 pi), |angle| <= pi/4 (a rounding more), to about 2^-100.
struct ReducedAngle {
  DoubleDouble angle;
  unsigned quadrant = 0;  ///< 0..3
};

/// For every finite x. Real-time: wait-free; three exact subtractions below 1e6, a 192-bit product beyond.
[[nodiscard]] ReducedAngle reduce_angle(double x) noexcept;

}  // namespace takt::math
