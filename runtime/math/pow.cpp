#include "runtime/math/elementary.hpp"
#include "runtime/math/log_kernel.hpp"

namespace takt::math {
namespace {

/// x = 2^exponent * mantissa with mantissa in [sqrt(1/2), sqrt(2)); for finite x > 0, subnormal ones included.
struct Mantissa {
  double value = 0.0;
  int exponent = 0;
};
Mantissa split_mantissa(double x) noexcept {
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

/// log of a finite x > 0 to a relative error of about 2^-64.
DoubleDouble log_double(double x) noexcept {
  const Mantissa mantissa = split_mantissa(x);
  const double f = mantissa.value - 1.0;
  const double k = mantissa.exponent;
  // s = f/(2 + f) in double-double.
  const DoubleDouble divisor = two_sum(2.0, f);
  DoubleDouble s;
  s.high = f / divisor.high;
  const DoubleDouble back = two_product(s.high, divisor.high);
  s.low = (((f - back.high) - back.low) - s.high * divisor.low) / divisor.high;
  // log(1 + f) = 2s + s z (2/3 + z tail(z)); the leading coefficient and z need both parts.
  const DoubleDouble z = multiply(s, s);
  const DoubleDouble factor = two_sum(0x1.5555555555555p-1, z.high * log_tail(z.high));
  const DoubleDouble series = multiply(multiply(z, {factor.high, factor.low + 0x1.5555555555555p-55}), s);
  const DoubleDouble doubled = two_sum(2.0 * s.high, series.high);
  const DoubleDouble total = two_sum(k * ln2_high, doubled.high);
  return fast_two_sum(total.high, total.low + (doubled.low + (series.low + 2.0 * s.low) + k * ln2_low));
}

enum class Parity : unsigned char { fraction, even, odd };

Parity parity(double y) noexcept {
  const double size = abs(y);
  if (size >= 0x1p53) return Parity::even;
  if (floor(size) != size) return Parity::fraction;
  return floor(0.5 * size) == 0.5 * size ? Parity::even : Parity::odd;
}

/// x^y for 0 < x < inf, x != 1 and finite y != 0.
double positive_power(double x, double y) noexcept {
  // |log x| >= 2^-53 for x != 1, so beyond 2^66 the result has left the range of doubles.
  if (abs(y) > 0x1p66) return (x > 1.0) == (y > 0.0) ? std::numeric_limits<double>::infinity() : 0.0;
  const DoubleDouble logarithm = log_double(x);
  if (abs(y) < 0x1p-70) return 1.0 + y * logarithm.high;
  const DoubleDouble product = two_product(y, logarithm.high);
  const DoubleDouble exponent = fast_two_sum(product.high, product.low + y * logarithm.low);
  return exp_checked(exponent.high, exponent.low);
}

/// x = 0 or infinite.
double edge_power(double size, double y) noexcept {
  const bool to_zero = (size == 0.0) == (y > 0.0);
  return to_zero ? 0.0 : std::numeric_limits<double>::infinity();
}

}  // namespace

double pow(double x, double y) noexcept {
  if (is_normal(x) && abs(y) < power_range) {
    const DoubleDouble exponent = power_parts(x, y);
    if (abs(exponent.high) < exp_range) return exp_within(exponent.high, exponent.low);
  }
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (y == 0.0 || x == 1.0) return 1.0;
  if (x != x || y != y) return std::numeric_limits<double>::quiet_NaN();
  const double size = abs(x);
  if (abs(y) == infinity) {
    if (size == 1.0) return 1.0;
    return (size > 1.0) == (y > 0.0) ? infinity : 0.0;
  }
  const Parity kind = parity(y);
  const bool negative = std::bit_cast<std::uint64_t>(x) >> 63U != 0;
  const bool edge = size == 0.0 || size == infinity;
  if (negative && !edge && kind == Parity::fraction) return std::numeric_limits<double>::quiet_NaN();
  const double value = edge ? edge_power(size, y) : size == 1.0 ? 1.0 : positive_power(size, y);
  return negative && kind == Parity::odd ? -value : value;
}

}  // namespace takt::math
