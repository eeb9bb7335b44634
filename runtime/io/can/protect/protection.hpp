#pragma once
// End-to-end protection of a message: a counter and a checksum, written when a frame leaves, checked when one has come.
// One description serves the profiles of AUTOSAR and the counters and checksums of makers of their own: where the
// fields stand, what the checksum goes over. `settings.hpp` makes it from what a rig file says. Source: AUTOSAR FO
// R22-11, E2E Protocol Specification (PRS_E2EProtocol).

#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include "runtime/io/can/protect/crc.hpp"

namespace takt::can {

/// A run of bits within one byte: raw bits [raw_low, raw_low + width) stand at [low_bit, low_bit + width) of
/// data[byte].
struct FieldPiece {
  std::uint8_t byte = 0, low_bit = 0, width = 0, raw_low = 0;
};

/// A whole number in a frame, of 64 bits at most, whatever its byte order.
struct Field {
  std::array<FieldPiece, 9> pieces{};
  std::uint8_t count = 0;  ///< of pieces; 0: there is no such field
  std::uint8_t width = 0;  ///< bits
};

struct Protection {
  /// A field that always has the same value: the length, a data id in clear.
  struct Constant {
    Field field;
    std::uint64_t value = 0;
  };

  std::uint16_t length = 0;        ///< bytes of the message, 1..64
  Field counter{};                 ///< count 0: none
  std::uint64_t counters = 0;      ///< it runs from 0 to counters - 1
  std::uint32_t first = 0;         ///< that is sent
  std::uint32_t largest_step = 1;  ///< of the counter between two frames that are taken for a sequence
  std::array<Constant, 2> constants{};
  std::uint8_t constant_count = 0;

  Field checksum{};  ///< count 0: none
  Crc crc{};
  std::uint16_t from = 0, to = 0;  ///< bytes the checksum goes over, both included, without its own bits
  std::array<std::uint8_t, 2> id_bytes{};
  std::array<std::uint8_t, 16> id_list{};
  std::uint8_t id_byte_count = 0;  ///< id_bytes, of every frame
  std::uint8_t id_list_count = 0;  ///< of id_list one byte: that of counter % id_list_count
  bool ids_first = false;          ///< these go in before the data, else behind

  bool take_wrong = false;  ///< received: a frame that fails is counted, and taken all the same
};

/// What a frame is to its receiver. The first three are taken.
enum class Verdict : std::uint8_t {
  ok,
  initial,         ///< the first one with a right checksum
  some_lost,       ///< the counter went on by more than 1, not by more than the largest step
  wrong_checksum,  ///< or length or data id; also a counter that the profile has not
  repeated,        ///< the counter stands still
  wrong_sequence   ///< the counter went on by more than the largest step; the next frame is judged by this one
};

struct Checked {
  Verdict verdict = Verdict::ok;
  std::uint64_t lost = 0;  ///< frames between this one and the one before; some_lost only
};

struct Receiver {
  bool seen = false;
  std::uint64_t counter = 0;  ///< of the last frame with a right checksum
};

/// Writes counter, constants and checksum.  @pre data has the length of the message at least; counter < counters
/// Real-time: bounded, silent.
void protect(const Protection& protection, std::uint64_t counter, std::span<std::uint8_t> data) noexcept;
/// The counter after that one.
[[nodiscard]] std::uint64_t next_counter(const Protection& protection, std::uint64_t counter) noexcept;
/// The one after which it begins at 0 again.
[[nodiscard]] constexpr std::uint64_t last_counter(const Protection& protection) noexcept {
  return protection.counters > 0 ? protection.counters - 1 : 0;
}
/// @pre data has the length of the message at least.   Real-time: bounded, silent.
[[nodiscard]] Checked check(const Protection& protection, Receiver& receiver,
                            std::span<const std::uint8_t> data) noexcept;
[[nodiscard]] constexpr bool is_taken(Verdict verdict) noexcept { return verdict <= Verdict::some_lost; }

/// Bits of a frame that protect() writes.
[[nodiscard]] std::array<std::uint8_t, 64> protected_bits(const Protection& protection) noexcept;

}  // namespace takt::can
