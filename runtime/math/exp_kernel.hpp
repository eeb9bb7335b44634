#pragma once
// exp(high + low) for a small low. Internal to runtime/math.
// Real-time: wait-free.

#include <bit>
#include <cstdint>
#include <limits>

#include "runtime/math/double_double.hpp"

namespace takt::math {

inline constexpr double ln2_high = 0x1.62e42fefa2000p-1;  // 40 bits: k*ln2_high is exact for |k| < 2^13
inline constexpr double ln2_low = 0x1.9ef35793c7673p-41;

/// The bits of a number, or of several side by side.
template <class Real>
struct BitsFor {
  using Type [[gnu::vector_size(sizeof(Real))]] = std::uint64_t;
};
template <>
struct BitsFor<double> {
  using Type = std::uint64_t;
};
template <class Real>
using BitsOf = typename BitsFor<Real>::Type;

/// exp(high + low) = 2^exponent * mantissa.
template <class Real>
struct Power {
  Real mantissa;
  Real exponent;  ///< whole
};

/// |low| << |high|, |high| < 2^40.
/// high = k ln 2 + r, |r| <= ln 2 / 2; exp(r) = 1 + r + r^2 P(r), P near-minimax of degree 10, error 2^-59.
template <class Real>
[[nodiscard]] inline Power<Real> exp_parts(Real high, Real low) noexcept {
  constexpr double shift = 0x1.8p52;  // rounds to an integer
  const Real k = (high * 0x1.71547652b82fep+0 + shift) - shift;
  const TwoParts<Real> reduced = two_sum(high - k * ln2_high, -(k * ln2_low));
  const Real r = reduced.high;
  const Real rest = reduced.low + low;
  const Real r2 = r * r, r4 = r2 * r2;
  const Real p01 = 0.5 + r * 0x1.5555555555557p-3;
  const Real p23 = 0x1.5555555555556p-5 + r * 0x1.11111111100dep-7;
  const Real p45 = 0x1.6c16c16c162d6p-10 + r * 0x1.a01a01abe683ap-13;
  const Real p67 = 0x1.a01a01a6d7b1fp-16 + r * 0x1.71de0236460f0p-19;
  const Real p8 = 0x1.27e4db6717892p-22 + r * (0x1.af4ddfbb3f3e3p-26 + r * 0x1.1f72fdb8d7141p-29);
  const Real curved = r2 * ((p01 + r2 * p23) + r4 * ((p45 + r2 * p67) + r4 * p8));
  const TwoParts<Real> leading = fast_two_sum(Real{} + 1.0, r);
  return {leading.high + (leading.low + (curved + (rest + rest * (r + curved)))), k};
}

/// Where results and their reciprocals are normal numbers.
inline constexpr double exp_range = 700.0;

/// exp(high + low) for |high| < exp_range, |low| << |high|; without branches.
template <class Real>
[[nodiscard]] inline Real exp_within(Real high, Real low) noexcept {
  const Power<Real> power = exp_parts(high, low);
  const BitsOf<Real> exponent = std::bit_cast<BitsOf<Real>>(power.exponent + 0x1.8p52) << 52U;
  return std::bit_cast<Real>(std::bit_cast<BitsOf<Real>>(power.mantissa) + exponent);
}

/// exp(high + low), |low| << |high|, -746 < high < 710.
[[nodiscard]] inline double exp_kernel(double high, double low) noexcept {
  const Power<double> power = exp_parts(high, low);
  // In two steps, so that only the last one can round (subnormal results) or overflow.
  const int exponent = static_cast<int>(power.exponent);
  const int half = exponent / 2;
  return power.mantissa * power_of_two(half) * power_of_two(exponent - half);
}

/// exp with all special values.
[[nodiscard]] inline double exp_checked(double high, double low) noexcept {
  if (high < exp_range && high > -exp_range) return exp_within(high, low);
  if (!(high > -746.0)) return high <= -746.0 ? 0.0 : high;
  if (high > 710.0) return std::numeric_limits<double>::infinity();
  return exp_kernel(high, low);
}

}  // namespace takt::math
