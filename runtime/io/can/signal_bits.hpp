#pragma once
// Where a signal of the database lies in a frame, as data: for faults, which may meet any signal. What the plant sends
// and receives has emitted codecs.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace takt::can {

struct RawRange {
  std::uint64_t first, last;
};

/// value = raw * factor + offset
struct SignalBits {
  enum class Type : std::uint8_t { unsigned_integer, signed_integer, float32, float64 };
  static constexpr std::uint16_t none = 0xFFFF;
  const char* name;
  std::uint16_t start;   ///< DBC bit number; of the most significant bit for big-endian signals
  std::uint16_t length;  ///< bits, 1..64
  bool big_endian;
  Type type;
  double factor, offset;
  std::uint16_t chosen_by = none;        ///< the multiplexer, index among the signals of the message
  std::span<const RawRange> pages = {};  ///< raw values of it for which the signal is there
};

/// @pre the signal lies within data
[[nodiscard]] std::uint64_t get_raw(const SignalBits& signal, const std::uint8_t* data) noexcept;
void set_raw(const SignalBits& signal, std::uint64_t raw, std::uint8_t* data) noexcept;
/// Whether it is in this frame, by the multiplexers.
[[nodiscard]] bool is_there(std::span<const SignalBits> signals, std::size_t index, const std::uint8_t* data) noexcept;

/// The nearest raw value, as the field's bits; nullopt where the field does not hold it.  @param value  DBC units
[[nodiscard]] std::optional<std::uint64_t> raw_of(const SignalBits& signal, double value);
[[nodiscard]] double value_of(const SignalBits& signal, std::uint64_t raw);

/// Values strictly between them are what the field holds, to the nearest raw value; others saturate. DBC units.
struct HeldValues {
  double low, high;
};
[[nodiscard]] HeldValues held_values(const SignalBits& signal);

}  // namespace takt::can
