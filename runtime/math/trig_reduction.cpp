#include "runtime/math/trig_reduction.hpp"

#include <array>

namespace takt::math {
namespace {

__extension__ using Wide = unsigned __int128;

// Bits of 2/pi behind the binary point, after 64 leading zeros.
constexpr std::array<std::uint64_t, 21> two_over_pi{
    0x0000000000000000, 0xA2F9836E4E441529, 0xFC2757D1F534DDC0, 0xDB6295993C439041, 0xFE5163ABDEBBC561,
    0xB7246E3A424DD2E0, 0x06492EEA09D1921C, 0xFE1DEB1CB129A73E, 0xE88235F52EBB4484, 0xE99C7026B45F7E41,
    0x3991D639835339F4, 0x9C845F8BBDF9283B, 0x1FF897FFDE05980F, 0xEF2F118B5A0A6D1F, 0x6D367ECF27CB09B7,
    0x4F463F669E5FEA2D, 0x7527BAC7EBE5F17B, 0x3D0739F78A5292EA, 0x6BFB5FB11F8D5D08, 0x56033046FC7B6BAB,
    0xF0CFBC209AF4361D};

constexpr double pi_half_high = 0x1.921fb54442d18p+0;
constexpr double pi_half_low = 0x1.1a62633145c07p-54;

/// Cody and Waite: pi/2 in three parts of 33 bits and a rest, so that n*part is exact for n <= 2^20.
ReducedAngle reduce_small(double x) noexcept {
  const double n = round_to_integer(x * 0x1.45f306dc9c883p-1);
  const DoubleDouble first = two_sum(x - n * 0x1.921fb54400000p+0, -(n * 0x1.0b4611a600000p-34));
  const DoubleDouble second = two_sum(first.high, -(n * 0x1.3198a2e000000p-69));
  const double rest = (first.low + second.low) - n * 0x1.b839a252049c1p-104;
  return {two_sum(second.high, rest), static_cast<unsigned>(static_cast<int>(n)) & 3U};
}

/// Unsigned fixed point: word[2] is the highest; the binary point is behind its upper two bits.
struct Fixed {
  std::array<std::uint64_t, 3> word{};  // [3], lowest first
};

/// 192 bits of two_over_pi from a bit position on.
Fixed window(unsigned position) noexcept {
  const unsigned first = position / 64, shift = position % 64;
  Fixed bits;
  for (unsigned step = 0; step < 3; ++step) {
    const std::uint64_t high = two_over_pi[first + step] << shift;
    const std::uint64_t low = shift == 0 ? 0 : two_over_pi[first + step + 1] >> (64 - shift);
    bits.word[2 - step] = high | low;
  }
  return bits;
}

/// a * b modulo 2^192.
Fixed multiply(const Fixed& a, std::uint64_t b) noexcept {
  Fixed product;
  Wide carry = 0;
  for (unsigned step = 0; step < 3; ++step) {
    carry += Wide{a.word[step]} * b;
    product.word[step] = static_cast<std::uint64_t>(carry);
    carry >>= 64U;
  }
  return product;
}

Fixed negate(Fixed a) noexcept {
  std::uint64_t carry = 1;
  for (std::uint64_t& word : a.word) {
    word = ~word + carry;
    carry = carry != 0 && word == 0 ? 1 : 0;
  }
  return a;
}

/// A fraction below 1/2 (the upper three bits are zero) as double-double.
DoubleDouble fraction(Fixed a) noexcept {
  int exponent = 2;  // the binary point is behind two bits
  for (int step = 0; step < 2 && a.word[2] == 0; ++step) {
    a = {{0, a.word[0], a.word[1]}};
    exponent -= 64;
  }
  if (a.word[2] == 0) return {};
  const auto zeros = static_cast<unsigned>(std::countl_zero(a.word[2]));
  if (zeros > 0) {
    a.word[2] = a.word[2] << zeros | a.word[1] >> (64 - zeros);
    a.word[1] = a.word[1] << zeros | a.word[0] >> (64 - zeros);
  }
  exponent -= static_cast<int>(zeros);
  const auto high = static_cast<double>(a.word[2] >> 11U);
  const auto low = static_cast<double>((a.word[2] << 53U | a.word[1] >> 11U) >> 11U);
  return {high * power_of_two(exponent - 53), low * power_of_two(exponent - 106)};
}

/// Payne and Hanek: x = m 2^e; bits of 2/pi that only add multiples of 4 to x*2/pi are skipped.
/// Source: M. Payne, R. Hanek, SIGNUM Newsletter 18, 1983, 19-24. No double comes closer to a multiple of pi/2 than
/// 2^-62.
ReducedAngle reduce_large(double x) noexcept {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t mantissa = (bits & 0x000F'FFFF'FFFF'FFFFU) | 0x0010'0000'0000'0000U;
  const int exponent = static_cast<int>(bits >> 52U & 0x7FFU) - 1075;
  Fixed turns = multiply(window(static_cast<unsigned>(64 + exponent - 2)), mantissa);  // x*2/pi modulo 4
  auto quadrant = static_cast<unsigned>(turns.word[2] >> 62U);
  turns.word[2] &= 0x3FFF'FFFF'FFFF'FFFFU;
  const bool above_half = turns.word[2] >> 61U != 0;
  if (above_half) {
    turns = negate(turns);
    turns.word[2] &= 0x3FFF'FFFF'FFFF'FFFFU;
    ++quadrant;
  }
  DoubleDouble angle = math::multiply(fraction(turns), {pi_half_high, pi_half_low});
  const bool minus = above_half != (x < 0.0);
  if (minus) angle = {-angle.high, -angle.low};
  return {angle, (x < 0.0 ? 4U - (quadrant & 3U) : quadrant) & 3U};
}

}  // namespace

ReducedAngle reduce_angle(double x) noexcept {
  const double size = __builtin_fabs(x);
  if (size <= 0x1.921fb54442d18p-1) return {{x, 0.0}, 0};
  return size < 1.6e6 ? reduce_small(x) : reduce_large(x);
}

}  // namespace takt::math
