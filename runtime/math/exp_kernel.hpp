#pragma once
// exp(high + low) for a small low. Internal to runtime/math.
// Real-time: wait-free.

#include <limits>

#include "runtime/math/double_double.hpp"

namespace takt::math {

inline constexpr double ln2_high = 0x1.62e42fefa2000p-1;  // 40 bits: k*ln2_high is exact for |k| < 2^13
inline constexpr double ln2_low = 0x1.9ef35793c7673p-41;

/// exp(high + low), |low| << |high|, -746 < high < 710.
/// high = k ln 2 + r, |r| <= ln 2 / 2; exp(r) = 1 + r + r^2 P(r), P near-minimax of degree 10, error 2^-59.
[[nodiscard]] inline double exp_kernel(double high, double low) noexcept {
  const double k = round_to_integer(high * 0x1.71547652b82fep+0);
  const DoubleDouble reduced = two_sum(high - k * ln2_high, -(k * ln2_low));
  const double r = reduced.high;
  const double rest = reduced.low + low;
  const double r2 = r * r, r4 = r2 * r2;
  const double p01 = 0.5 + r * 0x1.5555555555557p-3;
  const double p23 = 0x1.5555555555556p-5 + r * 0x1.11111111100dep-7;
  const double p45 = 0x1.6c16c16c162d6p-10 + r * 0x1.a01a01abe683ap-13;
  const double p67 = 0x1.a01a01a6d7b1fp-16 + r * 0x1.71de0236460f0p-19;
  const double p8 = 0x1.27e4db6717892p-22 + r * (0x1.af4ddfbb3f3e3p-26 + r * 0x1.1f72fdb8d7141p-29);
  const double curved = r2 * ((p01 + r2 * p23) + r4 * ((p45 + r2 * p67) + r4 * p8));
  const DoubleDouble leading = fast_two_sum(1.0, r);
  const double mantissa = leading.high + (leading.low + (curved + (rest + rest * (r + curved))));
  // In two steps, so that only the last one can round (subnormal results) or overflow.
  const int exponent = static_cast<int>(k);
  const int half = exponent / 2;
  return mantissa * power_of_two(half) * power_of_two(exponent - half);
}

/// exp with all special values.
[[nodiscard]] inline double exp_checked(double high, double low) noexcept {
  if (!(high > -746.0)) return high <= -746.0 ? 0.0 : high;
  if (high > 710.0) return std::numeric_limits<double>::infinity();
  return exp_kernel(high, low);
}

/// x = 2^exponent * mantissa with mantissa in [sqrt(1/2), sqrt(2)); for finite x > 0, subnormal ones included.
struct Mantissa {
  double value = 0.0;
  int exponent = 0;
};
[[nodiscard]] inline Mantissa split_mantissa(double x) noexcept {
  int exponent = -1023;
  auto bits = std::bit_cast<std::uint64_t>(x);
  if (bits < 0x0010'0000'0000'0000U) {
    bits = std::bit_cast<std::uint64_t>(x * 0x1p54);
    exponent -= 54;
  }
  exponent += static_cast<int>(bits >> 52U);
  double value = std::bit_cast<double>((bits & 0x000F'FFFF'FFFF'FFFFU) | 0x3FF0'0000'0000'0000U);
  if (value > 0x1.6a09e667f3bcdp+0) {
    value *= 0.5;
    ++exponent;
  }
  return {value, exponent};
}

/// (2 atanh(s)/s - 2 - 2z/3)/z^2 for z = s^2 <= 0.0295, error 2^-59: tail of the series of log((1+s)/(1-s)).
[[nodiscard]] inline double log_tail(double z) noexcept {
  const double z2 = z * z, z4 = z2 * z2;
  const double p01 = 0x1.999999999999ap-2 + z * 0x1.2492492492522p-2;
  const double p23 = 0x1.c71c71c6ea5acp-3 + z * 0x1.745d177ad436ap-3;
  const double p45 = 0x1.3b1395b82701ep-3 + z * 0x1.1118cd67251c5p-3;
  const double p67 = 0x1.df7ba1f4809c3p-4 + z * 0x1.e03a7acf07f85p-4;
  return (p01 + z2 * p23) + z4 * (p45 + z2 * p67);
}

}  // namespace takt::math
