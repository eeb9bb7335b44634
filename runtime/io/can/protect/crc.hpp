#pragma once
// Cyclic redundancy checks of any width, bit by bit: 64 bytes take under a microsecond, and nothing has to be prepared.

#include <cstdint>

namespace takt::can {

/// A CRC by the usual model (R. Williams, "A Painless Guide to CRC Error Detection Algorithms", 1993): polynomial
/// without its top bit, most significant bit first; register at the start; what is added to the result.
struct Crc {
  std::uint8_t width = 8;  ///< bits, 1..64
  std::uint64_t polynomial = 0, start = 0, exclusive_or = 0;
  bool reflected = false;  ///< input and output, least significant bit first
};

/// Of AUTOSAR, Specification of CRC Routines. J1850 is here as E2E profiles 1 and 11 use it: start and end are 0.
inline constexpr Crc crc8_of_profile_1{.width = 8, .polynomial = 0x1D};
inline constexpr Crc crc8_h2f{.width = 8, .polynomial = 0x2F, .start = 0xFF, .exclusive_or = 0xFF};
inline constexpr Crc crc16_ccitt{.width = 16, .polynomial = 0x1021, .start = 0xFFFF};
inline constexpr Crc crc32_p4{
    .width = 32, .polynomial = 0xF4ACFB13, .start = 0xFFFFFFFF, .exclusive_or = 0xFFFFFFFF, .reflected = true};
inline constexpr Crc crc64_ecma{
    .width = 64, .polynomial = 0x42F0E1EBA9EA3693, .start = ~0ULL, .exclusive_or = ~0ULL, .reflected = true};

[[nodiscard]] constexpr std::uint64_t low_bits(unsigned width) noexcept {
  return width >= 64 ? ~0ULL : (1ULL << width) - 1;
}
[[nodiscard]] constexpr std::uint64_t reversed(std::uint64_t bits, unsigned width) noexcept {
  std::uint64_t result = 0;
  for (unsigned k = 0; k < width; ++k) result |= (bits >> k & 1U) << (width - 1 - k);
  return result;
}

/// One sum, byte after byte.   Real-time: bounded, silent.
class CrcSum {
 public:
  /// @pre width 1..64
  constexpr explicit CrcSum(const Crc& crc) noexcept
      : crc_(crc),
        polynomial_(crc.reflected ? reversed(crc.polynomial, crc.width) : crc.polynomial << (64U - crc.width)),
        register_(crc.reflected ? reversed(crc.start, crc.width) : crc.start << (64U - crc.width)) {}

  constexpr void add(std::uint8_t byte) noexcept {
    constexpr std::uint64_t top = 1ULL << 63U;
    register_ ^= crc_.reflected ? std::uint64_t{byte} : std::uint64_t{byte} << 56U;
    for (unsigned bit = 0; bit < 8; ++bit) {
      const bool carry = (register_ & (crc_.reflected ? 1U : top)) != 0;
      register_ = crc_.reflected ? register_ >> 1U : register_ << 1U;
      if (carry) register_ ^= polynomial_;
    }
  }

  [[nodiscard]] constexpr std::uint64_t value() const noexcept {
    const std::uint64_t raw = crc_.reflected ? register_ : register_ >> (64U - crc_.width);
    return (raw ^ crc_.exclusive_or) & low_bits(crc_.width);
  }

 private:
  Crc crc_;
  std::uint64_t polynomial_, register_;
};

}  // namespace takt::can
