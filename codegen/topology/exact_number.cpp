#include "codegen/topology/exact_number.hpp"

namespace takt::codegen {

namespace {
__extension__ using Wide = unsigned __int128;
}

std::uint64_t ExactNumber::multiply(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>(static_cast<Wide>(a) * b % prime);
}

std::uint64_t ExactNumber::invert(std::uint64_t a) {
  std::uint64_t result = 1;
  for (std::uint64_t exponent = prime - 2; exponent > 0; exponent >>= 1) {
    if (exponent & 1) result = multiply(result, a);
    a = multiply(a, a);
  }
  return result;
}

ExactNumber ExactNumber::integer(std::int64_t value) {
  const std::uint64_t magnitude = static_cast<std::uint64_t>(value < 0 ? -value : value) % prime;
  return {value < 0 && magnitude != 0 ? prime - magnitude : magnitude, static_cast<double>(value)};
}

ExactNumber ExactNumber::ratio(double value) {
  // Continued fraction until the approximation is within 1e-12 relative; doubles such as 0.1 or 1/3
  // become 1/10 and 1/3.
  const double magnitude = std::fabs(value);
  double rest = magnitude;
  double p0 = 0, q0 = 1, p1 = 1, q1 = 0;
  for (int step = 0; step < 40; ++step) {
    const double whole = std::floor(rest);
    const double p2 = whole * p1 + p0, q2 = whole * q1 + q0;
    if (p2 > 1e15 || q2 > 1e15) break;
    p0 = p1, q0 = q1, p1 = p2, q1 = q2;
    if (std::fabs(p1 / q1 - magnitude) <= 1e-12 * magnitude || rest == whole) break;
    rest = 1.0 / (rest - whole);
  }
  ExactNumber result =
      integer(static_cast<std::int64_t>(p1)) / integer(static_cast<std::int64_t>(q1));
  result.value_ = magnitude;
  return value < 0 ? -result : result;
}

ExactNumber operator+(ExactNumber a, ExactNumber b) {
  const std::uint64_t sum = a.residue_ + b.residue_;
  return {sum >= ExactNumber::prime ? sum - ExactNumber::prime : sum, a.value() + b.value()};
}

ExactNumber operator*(ExactNumber a, ExactNumber b) {
  return {ExactNumber::multiply(a.residue_, b.residue_), a.value() * b.value()};
}

ExactNumber operator/(ExactNumber a, ExactNumber b) {
  return {ExactNumber::multiply(a.residue_, ExactNumber::invert(b.residue_)),
          a.value() / b.value()};
}

}  // namespace takt::codegen
