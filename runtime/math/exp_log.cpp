#include "runtime/math/elementary.hpp"
#include "runtime/math/log_kernel.hpp"

namespace takt::math {

double exp(double x) noexcept { return exp_checked(x, 0.0); }

double log(double x) noexcept {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (is_normal(x)) {
    const DoubleDouble parts = log_parts(x);
    return parts.high + parts.low;
  }
  if (!(x > 0.0)) return x == 0.0 ? -infinity : std::numeric_limits<double>::quiet_NaN();
  if (x == infinity) return x;
  const DoubleDouble parts = log_parts(x * 0x1p54, 54.0);  // subnormal
  return parts.high + parts.low;
}

/// Polynomial below 0.8, then 1 - 2/(exp(2x) + 1).
double tanh(double x) noexcept {
  const double size = abs(x);
  if (size < 0x1p-28) return x;  // keeps -0.0
  if (size < 0.8) {
    const double z = x * x, z2 = z * z, z4 = z2 * z2;
    const double p01 = -0x1.5555555555555p-2 + z * 0x1.11111111110d1p-3;
    const double p23 = -0x1.ba1ba1ba15419p-5 + z * 0x1.664f4880bfdfcp-6;
    const double p45 = -0x1.226e3509f6e77p-7 + z * 0x1.d6d3c02ac5bc8p-9;
    const double p67 = -0x1.7da250cc19f6fp-10 + z * 0x1.354c06481b472p-11;
    const double p89 = -0x1.f4bd9f218ef75p-13 + z * 0x1.924211c5e47c8p-14;
    const double p1011 = -0x1.38565ec5a388ep-15 + z * 0x1.b310d3fe093ccp-17;
    const double p1213 = -0x1.cf31b21aae0cep-19 + z * 0x1.0aafaf7c281dap-21;
    const double high = (p89 + z2 * p1011) + z4 * p1213;
    return x + x * z * ((p01 + z2 * p23) + z4 * ((p45 + z2 * p67) + z4 * high));
  }
  if (!(size < 22.0)) return size >= 22.0 ? (x > 0.0 ? 1.0 : -1.0) : x;
  const double value = 1.0 - 2.0 / (exp_kernel(2.0 * size, 0.0) + 1.0);
  return x > 0.0 ? value : -value;
}

}  // namespace takt::math
