#pragma once
// One field of a frame as bytes, in either byte order.

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "runtime/io/udp/plan.hpp"

namespace takt::udp {

[[nodiscard]] constexpr std::size_t size_of(FieldType type) noexcept {
  constexpr std::uint8_t bytes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
  return bytes[static_cast<std::size_t>(type)];
}
[[nodiscard]] constexpr bool is_float(FieldType type) noexcept {
  return type == FieldType::f32 || type == FieldType::f64;
}
[[nodiscard]] constexpr bool is_signed(FieldType type) noexcept {
  return !is_float(type) && static_cast<unsigned>(type) % 2 == 1;
}

/// The bits of a field, in the lowest of the word.  Real-time: bounded, silent
[[nodiscard]] inline std::uint64_t load_bits(const std::uint8_t* bytes, std::size_t size, bool big_endian) noexcept {
  std::uint64_t bits = 0;
  for (std::size_t k = 0; k < size; ++k) bits = bits << 8U | bytes[big_endian ? k : size - 1 - k];
  return bits;
}
inline void store_bits(std::uint64_t bits, std::uint8_t* bytes, std::size_t size, bool big_endian) noexcept {
  for (std::size_t k = 0; k < size; ++k, bits >>= 8U)
    bytes[big_endian ? size - 1 - k : k] = static_cast<std::uint8_t>(bits);
}

/// The same bytes in the other order.
[[nodiscard]] inline std::uint64_t swapped(std::uint64_t bits, std::size_t size) noexcept {
  std::uint8_t bytes[8];
  store_bits(bits, bytes, size, true);
  return load_bits(bytes, size, false);
}

/// Whole numbers beyond 2^53 are rounded to the nearest double.
[[nodiscard]] inline double value_of(std::uint64_t bits, FieldType type) noexcept {
  if (type == FieldType::f64) return std::bit_cast<double>(bits);
  if (type == FieldType::f32) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  if (!is_signed(type)) return static_cast<double>(bits);
  const unsigned unused = 64U - 8U * static_cast<unsigned>(size_of(type));
  return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
}

/// What a field holds, for the nearest value that it can.
struct FieldBits {
  std::uint64_t bits = 0;
  bool fits = true;  ///< false: the value lies beyond, and the end of the range stands there
};

/// Limits of whole numbers as doubles that stand within them: 2^63 - 1 is none.
[[nodiscard]] inline double smallest(FieldType type) noexcept {
  return is_signed(type) ? -std::ldexp(1.0, 8 * static_cast<int>(size_of(type)) - 1) : 0.0;
}
[[nodiscard]] inline double largest(FieldType type) noexcept {
  const int bits = 8 * static_cast<int>(size_of(type)) - (is_signed(type) ? 1 : 0);
  return bits > 53 ? std::ldexp(1.0, bits) - std::ldexp(1.0, bits - 53) : std::ldexp(1.0, bits) - 1.0;
}

/// @pre value is a number, or the field a float
[[nodiscard]] inline FieldBits bits_of(double value, FieldType type) noexcept {
  if (type == FieldType::f64) return {std::bit_cast<std::uint64_t>(value), true};
  if (type == FieldType::f32) {
    constexpr double most = std::numeric_limits<float>::max();
    const bool fits = !(std::abs(value) > most);  // also what is no number
    const double held = fits ? value : std::copysign(most, value);
    return {std::bit_cast<std::uint32_t>(static_cast<float>(held)), fits};
  }
  const double whole = std::nearbyint(value), low = smallest(type), high = largest(type);
  const bool fits = whole >= low && whole <= high;
  const double held = fits ? whole : whole < low ? low : high;
  return {
      is_signed(type) ? static_cast<std::uint64_t>(static_cast<std::int64_t>(held)) : static_cast<std::uint64_t>(held),
      fits};
}

}  // namespace takt::udp
