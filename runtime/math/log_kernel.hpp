#pragma once
// log(x) and x^y without branches, for one number or several side by side. Internal to runtime/math.
// Real-time: wait-free.

#include "runtime/math/exp_kernel.hpp"

namespace takt::math {

/// (2 atanh(s)/s - 2 - 2z/3)/z^2 for z = s^2 <= 0.0295, error 2^-59: tail of the series of log((1+s)/(1-s)).
template <class Real>
[[nodiscard]] inline Real log_tail(Real z) noexcept {
  const Real z2 = z * z, z4 = z2 * z2;
  const Real p01 = 0x1.999999999999ap-2 + z * 0x1.2492492492522p-2;
  const Real p23 = 0x1.c71c71c6ea5acp-3 + z * 0x1.745d177ad436ap-3;
  const Real p45 = 0x1.3b1395b82701ep-3 + z * 0x1.1118cd67251c5p-3;
  const Real p67 = 0x1.df7ba1f4809c3p-4 + z * 0x1.e03a7acf07f85p-4;
  return (p01 + z2 * p23) + z4 * (p45 + z2 * p67);
}

/// log of normal x, less `lift` times log 2; error of high + low about 2^-56, or 2^-53 of a smaller |log x|.
/// x = 2^k (1 + f), s = f/(2 + f): log(1 + f) = 2 atanh(s) = f - f^2/2 + s (f^2/2 + z R(z)), z = s^2. f is exact and
/// the terms behind it are small, so only the last sums round visibly.
template <class Real>
[[nodiscard]] inline TwoParts<Real> log_parts(Real x, double lift = 0.0) noexcept {
  using Bits = BitsOf<Real>;
  // 1 + f in (sqrt(1/2), sqrt(2)].
  const Bits bits = std::bit_cast<Bits>(x);
  const Bits exponent = (bits - 0x3FE6'A09E'667F'3BCEU + 0x3FF0'0000'0000'0000U) >> 52U;  // k + 1023
  const Real f = std::bit_cast<Real>(bits - (exponent << 52U) + 0x3FF0'0000'0000'0000U) - 1.0;
  const Real k = std::bit_cast<Real>(exponent + 0x4330'0000'0000'0000U) - (0x1p52 + 1023.0 + lift);
  const Real s = f / (2.0 + f);
  const Real z = s * s;
  const Real series = z * (0x1.5555555555555p-1 + z * log_tail(z));
  const Real half_square = 0.5 * f * f;
  // k ln2_high is exact and, for k != 0, larger than |f|.
  const TwoParts<Real> leading = fast_two_sum(k * ln2_high, f);
  const TwoParts<Real> squared = two_sum(leading.high, -half_square);
  return {squared.high, squared.low + (leading.low + (s * (half_square + series) + k * ln2_low))};
}

/// The exponent e of exp(e) = x^y for normal x and |y| < 2, error 2^-55.
template <class Real>
[[nodiscard]] inline TwoParts<Real> power_parts(Real x, Real y) noexcept {
  constexpr std::uint64_t upper = 0xFFFF'FFFF'F800'0000U;  // 26 bits of the mantissa: products of two are exact
  const auto upper_part = [](Real a) noexcept { return std::bit_cast<Real>(std::bit_cast<BitsOf<Real>>(a) & upper); };
  const TwoParts<Real> logarithm = log_parts(x);
  const Real y_upper = upper_part(y), log_upper = upper_part(logarithm.high);
  const Real rest = (y - y_upper) * logarithm.high + y_upper * (logarithm.high - log_upper) + y * logarithm.low;
  return fast_two_sum(y_upper * log_upper, rest);
}

inline constexpr double power_range = 2.0;  ///< of |y| in power_parts()

[[nodiscard]] inline bool is_normal(double x) noexcept {  // and positive
  return std::bit_cast<std::uint64_t>(x) - 0x0010'0000'0000'0000U < 0x7FE0'0000'0000'0000U;
}

}  // namespace takt::math
