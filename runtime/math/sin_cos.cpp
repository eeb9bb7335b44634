#include "runtime/math/elementary.hpp"
#include "runtime/math/trig_reduction.hpp"

namespace takt::math {
namespace {

/// sin(r + low) = r + rest for |r| <= pi/4.
DoubleDouble sin_kernel(DoubleDouble angle) noexcept {
  const double r = angle.high, z = r * r, z2 = z * z;
  const double p01 = -0x1.5555555555555p-3 + z * 0x1.1111111110babp-7;
  const double p23 = -0x1.a01a019e820aep-13 + z * 0x1.71de37946ed6dp-19;
  const double p45 = -0x1.ae6008d114485p-26 + z * 0x1.5e0a4fc16be59p-33;
  const double polynomial = p01 + z2 * (p23 + z2 * p45);
  return {r, r * (z * polynomial) + angle.low * (1.0 - 0.5 * z)};
}

/// cos(r + low) = high + low for |r| <= pi/4.
DoubleDouble cos_kernel(DoubleDouble angle) noexcept {
  const double r = angle.high, z = r * r, z2 = z * z;
  const double p01 = 0x1.5555555555555p-5 + z * -0x1.6c16c16c16963p-10;
  const double p23 = 0x1.a01a019f4ddfdp-16 + z * -0x1.27e4fa16cc2d1p-22;
  const double p45 = 0x1.1eeb67d026ec6p-29 + z * -0x1.907cd8ff5ede7p-37;
  const double polynomial = p01 + z2 * (p23 + z2 * p45);
  const double half_square = 0.5 * z;
  const double leading = 1.0 - half_square;
  return {leading, ((1.0 - leading) - half_square) + (z2 * polynomial - r * angle.low)};
}

bool is_finite(double x) noexcept { return abs(x) <= std::numeric_limits<double>::max(); }

double in_quadrant(DoubleDouble angle, unsigned quadrant) noexcept {
  const DoubleDouble value = (quadrant & 1U) != 0 ? cos_kernel(angle) : sin_kernel(angle);
  const double sum = value.high + value.low;
  return (quadrant & 2U) != 0 ? -sum : sum;
}

/// a/b with one rounding that counts.
double divide(DoubleDouble a, DoubleDouble b) noexcept {
  const double quotient = a.high / b.high;
  const DoubleDouble back = two_product(quotient, b.high);
  return quotient + ((((a.high - back.high) - back.low) + a.low) - quotient * b.low) / b.high;
}

}  // namespace

double sin(double x) noexcept {
  if (!is_finite(x)) return std::numeric_limits<double>::quiet_NaN();
  if (abs(x) < 0x1p-27) return x;  // keeps -0.0 and subnormals
  const ReducedAngle reduced = reduce_angle(x);
  return in_quadrant(reduced.angle, reduced.quadrant);
}

double cos(double x) noexcept {
  if (!is_finite(x)) return std::numeric_limits<double>::quiet_NaN();
  const ReducedAngle reduced = reduce_angle(x);
  return in_quadrant(reduced.angle, reduced.quadrant + 1);
}

double tan(double x) noexcept {
  if (!is_finite(x)) return std::numeric_limits<double>::quiet_NaN();
  if (abs(x) < 0x1p-27) return x;
  const ReducedAngle reduced = reduce_angle(x);
  DoubleDouble sine = sin_kernel(reduced.angle);
  sine = fast_two_sum(sine.high, sine.low);
  DoubleDouble cosine = cos_kernel(reduced.angle);
  cosine = fast_two_sum(cosine.high, cosine.low);
  return (reduced.quadrant & 1U) != 0 ? -divide(cosine, sine) : divide(sine, cosine);
}

}  // namespace takt::math
