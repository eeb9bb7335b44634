#pragma once
// What emitted CAN codecs are made of: value = raw * factor + offset, raw a bit field of the frame.
// Sending saturates at the range of the raw field; a value that is not a number becomes raw 0.
// Values are doubles: whole ones are coded exactly, and a raw value that no double holds is as near as one can be. With
// a whole factor and offset whose values may pass 2^53, the functions `..._whole` compute in integers.
// Real-time: everything here is bounded, silent and free of system calls.

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace takt::can {

/// Nearest whole number, halves away from zero. (x + 0.5 would be rounded itself: 2^52 + 1 has no place for the half.)
[[nodiscard]] inline double nearest(double x) noexcept { return std::round(x); }

/// Wide enough for 64 bits of raw value times a whole factor below 2^62, plus offset.
__extension__ using Whole = __int128;

struct WholeScale {
  std::int64_t factor, offset;  ///< magnitudes below 2^62, factor not 0
};

/// (value - offset) / factor, to the nearest whole number, halves away from zero.  @pre |value| < 2^126
[[nodiscard]] constexpr Whole whole_raw(Whole value, WholeScale scale) noexcept {
  const Whole difference = value - scale.offset, raw = difference / scale.factor, rest = difference % scale.factor;
  const Whole twice = rest < 0 ? -rest * 2 : rest * 2, factor = scale.factor < 0 ? -Whole{scale.factor} : scale.factor;
  if (twice < factor) return raw;
  return (difference < 0) == (scale.factor < 0) ? raw + 1 : raw - 1;
}

[[nodiscard]] constexpr std::uint64_t saturated_unsigned(Whole raw, std::uint64_t largest) noexcept {
  return raw <= 0 ? 0 : raw >= Whole{largest} ? largest : static_cast<std::uint64_t>(raw);
}
/// As the field's bits: upper bits set where negative.
[[nodiscard]] constexpr std::uint64_t saturated_signed(Whole raw, std::int64_t largest) noexcept {
  const Whole smallest = -Whole{largest} - 1;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(raw > largest    ? largest
                                                              : raw < smallest ? smallest
                                                                               : raw));
}

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

/// Whether a double is a whole number that whole_raw() takes.
[[nodiscard]] inline bool is_whole(double value) noexcept {
  constexpr double limit = 85070591730234615865843651857942052864.0;  // 2^126
  return value > -limit && value < limit && value == std::trunc(value);
}

[[nodiscard]] inline std::uint64_t to_unsigned_whole(double value, WholeScale scale, std::uint64_t largest) noexcept {
  if (is_whole(value)) return saturated_unsigned(whole_raw(static_cast<Whole>(value), scale), largest);
  return to_unsigned(value, static_cast<double>(scale.factor), static_cast<double>(scale.offset), largest);
}
[[nodiscard]] inline std::uint64_t to_signed_whole(double value, WholeScale scale, std::int64_t largest) noexcept {
  if (is_whole(value)) return saturated_signed(whole_raw(static_cast<Whole>(value), scale), largest);
  return to_signed(value, static_cast<double>(scale.factor), static_cast<double>(scale.offset), largest);
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

/// A signal that is not in a frame: a NaN with a payload of its own, to be told from one that a float signal carries.
/// Values that are not numbers never reach the plant.
inline constexpr double absent = std::bit_cast<double>(std::uint64_t{0x7FF8'0000'0000'AB5E});
[[nodiscard]] inline bool is_absent(double value) noexcept {
  return std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(absent);
}

[[nodiscard]] inline double from_unsigned(std::uint64_t raw, double factor, double offset) noexcept {
  return static_cast<double>(raw) * factor + offset;
}
/// @param bits  width of the field: its top bit is the sign
[[nodiscard]] constexpr std::int64_t sign_extended(std::uint64_t raw, unsigned bits) noexcept {
  const unsigned unused = 64U - bits;
  return static_cast<std::int64_t>(raw << unused) >> unused;
}
[[nodiscard]] inline double from_signed(std::uint64_t raw, unsigned bits, double factor, double offset) noexcept {
  return static_cast<double>(sign_extended(raw, bits)) * factor + offset;
}
[[nodiscard]] inline double from_unsigned_whole(std::uint64_t raw, WholeScale scale) noexcept {
  return static_cast<double>(Whole{raw} * scale.factor + scale.offset);
}
[[nodiscard]] inline double from_signed_whole(std::uint64_t raw, unsigned bits, WholeScale scale) noexcept {
  return static_cast<double>(Whole{sign_extended(raw, bits)} * scale.factor + scale.offset);
}
[[nodiscard]] inline double from_float32(std::uint64_t raw, double factor, double offset) noexcept {
  return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(raw))) * factor + offset;
}
[[nodiscard]] inline double from_float64(std::uint64_t raw, double factor, double offset) noexcept {
  return std::bit_cast<double>(raw) * factor + offset;
}

}  // namespace takt::can
