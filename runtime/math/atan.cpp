#include <array>

#include "runtime/math/double_double.hpp"
#include "runtime/math/elementary.hpp"

namespace takt::math {
namespace {

constexpr double pi_high = 0x1.921fb54442d18p+1;
constexpr double pi_low = 0x1.1a62633145c07p-53;
constexpr double pi_half_high = 0x1.921fb54442d18p+0;
constexpr double pi_half_low = 0x1.1a62633145c07p-54;

// atan(k/8), k = 0..8, high and low part.
constexpr std::array<DoubleDouble, 9> atan_of_eighths{{{0x0.0p+0, 0x0.0p+0},
                                                       {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
                                                       {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
                                                       {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
                                                       {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                                                       {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
                                                       {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
                                                       {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
                                                       {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}}};

/// atan(u) - u for |u| <= 0.0634.
double atan_tail(double u) noexcept {
  const double z = u * u, z2 = z * z;
  const double p01 = -0x1.5555555555555p-2 + z * 0x1.9999999999946p-3;
  const double p23 = -0x1.2492492456496p-3 + z * 0x1.c71c6fd0e502dp-4;
  const double p45 = -0x1.745960c13a4c9p-4 + z * 0x1.37d5963715882p-4;
  return u * (z * (p01 + z2 * (p23 + z2 * p45)));
}

/// atan(numerator/denominator) for 0 <= numerator <= denominator as high + low:
/// atan(c) + atan((a - c b)/(b + c a)) with c the nearest eighth.
DoubleDouble atan_of_ratio(double a, double b) noexcept {
  const double eighths = round_to_integer(8.0 * (a / b));
  const double c = 0.125 * eighths;
  const DoubleDouble& base = atan_of_eighths[static_cast<unsigned>(eighths)];
  const double u = (a - c * b) / (b + c * a);
  const DoubleDouble sum = two_sum(base.high, u);
  return {sum.high, sum.low + (base.low + atan_tail(u))};
}

/// (asin(x)/x - 1) for z = x^2 <= 1/4.
double asin_tail(double z) noexcept {
  const double z2 = z * z, z4 = z2 * z2;
  const double p01 = 0x1.5555555555556p-3 + z * 0x1.3333333332ec4p-4;
  const double p23 = 0x1.6db6db6e3292ep-5 + z * 0x1.f1c71c1d4aa0dp-6;
  const double p45 = 0x1.6e8bb1d89492bp-6 + z * 0x1.1c4d343fa57f6p-6;
  const double p67 = 0x1.c9cf3759fd8ffp-7 + z * 0x1.78246f32d075cp-7;
  const double p89 = 0x1.524ea8b3aad31p-7 + z * 0x1.653a8f8cfd43cp-8;
  const double p1011 = 0x1.1d661531b222ep-6 + z * -0x1.e7a24f548c99fp-7;
  const double high = (p89 + z2 * p1011) + z4 * 0x1.d78189767524ep-6;
  return z * ((p01 + z2 * p23) + z4 * ((p45 + z2 * p67) + z4 * high));
}

/// asin(sqrt((1 - size)/2)) as high + low, for 1/2 < size <= 1.
DoubleDouble half_angle(double size) noexcept {
  const double z = 0.5 * (1.0 - size);
  if (z == 0.0) return {};
  const double root = sqrt(z);
  const DoubleDouble square = two_product(root, root);
  const double root_low = ((z - square.high) - square.low) / (2.0 * root);
  return {root, root_low + root * asin_tail(z)};
}

/// base - value, rounded once, for base >= value >= 0.
double subtract(DoubleDouble base, DoubleDouble value) noexcept {
  const DoubleDouble difference = fast_two_sum(base.high, -value.high);
  return difference.high + (difference.low + (base.low - value.low));
}

bool has_sign(double x) noexcept { return std::bit_cast<std::uint64_t>(x) >> 63U != 0; }

}  // namespace

double atan(double x) noexcept {
  const double size = abs(x);
  if (!(size > 0x1p-27)) return x;  // also NaN
  double value = pi_half_high;
  if (size <= 1.0) {
    const DoubleDouble angle = atan_of_ratio(size, 1.0);
    value = angle.high + angle.low;
  } else if (size < 0x1p60) {
    value = subtract({pi_half_high, pi_half_low}, atan_of_ratio(1.0, size));
  }
  return has_sign(x) ? -value : value;
}

double atan2(double y, double x) noexcept {
  if (x != x || y != y) return std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double x_size = abs(x), y_size = abs(y);
  double value = 0.0;  // angle of (|x|, |y|)
  if (y_size == 0.0) {
    value = has_sign(x) ? pi_high : 0.0;
  } else if (x_size == infinity || y_size == infinity) {
    const double quarter = 0.5 * pi_half_high;
    value = y_size < infinity   ? (x > 0.0 ? 0.0 : pi_high)
            : x_size < infinity ? pi_half_high
            : x > 0.0           ? quarter
                                : 3.0 * quarter;
  } else {
    const double slope = y_size / x_size;
    const double acute = slope < infinity ? atan(slope) : pi_half_high;
    value = has_sign(x) ? subtract({pi_high, pi_low}, {acute, 0.0}) : acute;
  }
  return has_sign(y) ? -value : value;
}

double asin(double x) noexcept {
  const double size = abs(x);
  if (!(size <= 1.0)) return std::numeric_limits<double>::quiet_NaN();
  if (size < 0x1p-27) return x;
  if (size <= 0.5) return x + x * asin_tail(x * x);
  const DoubleDouble half = half_angle(size);
  const double value = subtract({pi_half_high, pi_half_low}, {2.0 * half.high, 2.0 * half.low});
  return x > 0.0 ? value : -value;
}

double acos(double x) noexcept {
  const double size = abs(x);
  if (!(size <= 1.0)) return std::numeric_limits<double>::quiet_NaN();
  if (size <= 0.5) return subtract({pi_half_high, pi_half_low}, {x, x * asin_tail(x * x)});
  const DoubleDouble half = half_angle(size);
  if (x > 0.0) return 2.0 * (half.high + half.low);
  return subtract({pi_high, pi_low}, {2.0 * half.high, 2.0 * half.low});
}

}  // namespace takt::math
