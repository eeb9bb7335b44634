#pragma once
// What emitted CAN codecs are made of: value = raw * factor + offset, raw a bit field of the frame.
// Sending saturates at the range of the raw field; a value that is not a number becomes raw 0.
// Real-time: everything here is bounded, silent and free of system calls.

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace takt::can {

/// Nearest whole number, halves away from zero.
[[nodiscard]] inline double nearest(double x) noexcept { return x < 0.0 ? std::ceil(x - 0.5) : std::floor(x + 0.5); }

/// Raw value of an unsigned field, 0..largest.
[[nodiscard]] inline std::uint64_t to_unsigned(double value, double factor, double offset,
                                               std::uint64_t largest) noexcept {
  const double raw = nearest((value - offset) / factor);
  if (!(raw > 0.0)) return 0;
  if (raw >= 18446744073709551616.0) return largest;  // 2^64
  const auto whole = static_cast<std::uint64_t>(raw);
  return whole < largest ? whole : largest;
}

/// Raw value of a two's complement field, -largest-1..largest, as the field's bits (upper bits set where negative).
[[nodiscard]] inline std::uint64_t to_signed(double value, double factor, double offset,
                                             std::int64_t largest) noexcept {
  const double raw = nearest((value - offset) / factor);
  if (!(raw == raw)) return 0;
  const std::int64_t smallest = -largest - 1;
  if (raw >= 9223372036854775808.0) return static_cast<std::uint64_t>(largest);  // 2^63
  if (raw < -9223372036854775808.0) return static_cast<std::uint64_t>(smallest);
  auto whole = static_cast<std::int64_t>(raw);
  if (whole > largest) whole = largest;
  if (whole < smallest) whole = smallest;
  return static_cast<std::uint64_t>(whole);
}

[[nodiscard]] inline std::uint64_t to_float32(double value, double factor, double offset) noexcept {
  constexpr double largest = std::numeric_limits<float>::max();
  double raw = (value - offset) / factor;
  if (raw > largest) raw = largest;
  if (raw < -largest) raw = -largest;
  return std::bit_cast<std::uint32_t>(static_cast<float>(raw));
}
[[nodiscard]] inline std::uint64_t to_float64(double value, double factor, double offset) noexcept {
  return std::bit_cast<std::uint64_t>((value - offset) / factor);
}

/// Adds bits to a byte of the frame.
inline void put(std::uint8_t& byte, std::uint64_t bits) noexcept { byte = static_cast<std::uint8_t>(byte | bits); }

/// A signal that is not in a frame. Values that are not numbers never reach the plant.
inline constexpr double absent = std::numeric_limits<double>::quiet_NaN();

[[nodiscard]] inline double from_unsigned(std::uint64_t raw, double factor, double offset) noexcept {
  return static_cast<double>(raw) * factor + offset;
}
/// @param bits  width of the field: its top bit is the sign
[[nodiscard]] inline double from_signed(std::uint64_t raw, unsigned bits, double factor, double offset) noexcept {
  const unsigned unused = 64U - bits;
  return static_cast<double>(static_cast<std::int64_t>(raw << unused) >> unused) * factor + offset;
}
[[nodiscard]] inline double from_float32(std::uint64_t raw, double factor, double offset) noexcept {
  return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(raw))) * factor + offset;
}
[[nodiscard]] inline double from_float64(std::uint64_t raw, double factor, double offset) noexcept {
  return std::bit_cast<double>(raw) * factor + offset;
}

}  // namespace takt::can
