#pragma once
// Error-free sums and products of doubles without fused multiply-add. Internal to runtime/math.
// Source: T. J. Dekker, Numerische Mathematik 18, 1971, 224-242.
// Real-time: wait-free.

#include <bit>
#include <cstdint>

namespace takt::math {

/// The unevaluated sum high + low, of one number or of several side by side (a vector extension of GCC and Clang).
template <class Real>
struct TwoParts {
  Real high{};
  Real low{};
};
using DoubleDouble = TwoParts<double>;

/// a + b exactly.
template <class Real>
[[nodiscard]] inline TwoParts<Real> two_sum(Real a, Real b) noexcept {
  const Real sum = a + b;
  const Real from_b = sum - a;
  return {sum, (a - (sum - from_b)) + (b - from_b)};
}

/// a + b exactly where |a| >= |b|.
template <class Real>
[[nodiscard]] inline TwoParts<Real> fast_two_sum(Real a, Real b) noexcept {
  const Real sum = a + b;
  return {sum, b - (sum - a)};
}

/// a * b exactly, for |a|, |b| < 1e300 and a product that does not underflow.
[[nodiscard]] inline DoubleDouble two_product(double a, double b) noexcept {
  constexpr double splitter = 134217729.0;  // 2^27 + 1
  const double a_big = splitter * a, b_big = splitter * b;
  const double a_high = a_big - (a_big - a), b_high = b_big - (b_big - b);
  const double a_low = a - a_high, b_low = b - b_high;
  const double product = a * b;
  return {product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

/// Product to about 2^-104.
[[nodiscard]] inline DoubleDouble multiply(DoubleDouble a, DoubleDouble b) noexcept {
  const DoubleDouble product = two_product(a.high, b.high);
  return fast_two_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

/// 2^exponent for -1022 <= exponent <= 1023.
[[nodiscard]] inline double power_of_two(int exponent) noexcept {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52U);
}

/// The nearest integer of |x| < 2^51, ties to even, as double.
[[nodiscard]] inline double round_to_integer(double x) noexcept {
  constexpr double shift = 0x1.8p52;
  return (x + shift) - shift;
}

}  // namespace takt::math
