#pragma once
// What goes wrong between the plant and a bus, for each message in one direction: frames that are lost, late, doubled,
// in another order, too short or long, that have another id or stand still; signals that stand still or have another
// value. The same for every kind of bus: the I/O thread asks before frames leave and after they have come. Faults are
// data, one word each: whoever steers a run may set them at any time.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/io/can/frame.hpp"

namespace takt::can {

struct FrameFault {
  enum class Kind : std::uint8_t {
    none,
    drop,
    delay,
    duplicate,
    length,
    id,
    reorder,
    freeze,
    freeze_signal,
    value,
    checksum,
    counter
  };
  static constexpr Kind last_kind = Kind::counter;
  static constexpr std::uint32_t most_frames = 1023;
  static constexpr std::uint32_t extended_mark = 0x8000'0000U;  ///< id: of 29 bits, of a message that has 11
  static constexpr std::size_t most_signals = 1024;             ///< that a word can tell apart
  Kind kind = Kind::none;
  /// delay: us; length: bytes; id: which, with its mark; value: raw bits of an integer, of others those of a float in
  /// DBC units
  std::uint32_t amount = 0;
  std::uint32_t frames = 0;  ///< that it meets; 0: all until it is cleared
  std::uint16_t signal = 0;  ///< freeze_signal, value: index of MessageInfo::signals, below most_signals
};

/// From words: drop | delay 20 ms | duplicate | length 4 | id 0x123 | reorder | freeze | freeze SIGNAL | value
/// SIGNAL 12.5 | checksum | counter, each with the number of frames behind it: drop x5
/// @throw std::runtime_error  what is wrong and what would do
[[nodiscard]] FrameFault parse_frame_fault(std::string_view text, const MessageInfo& message);
/// The same in the other direction.
[[nodiscard]] std::string frame_fault_text(const FrameFault& fault, const MessageInfo& message);

/// One word for it, that is not 0 but for none.
[[nodiscard]] std::uint64_t word_of(const FrameFault& fault) noexcept;
/// Of any word: it may come from memory that another process writes.
[[nodiscard]] FrameFault frame_fault_of(std::uint64_t word) noexcept;
/// The raw value that a fault gives to its signal.
[[nodiscard]] std::uint64_t given_raw(const FrameFault& fault, const SignalBits& signal) noexcept;
inline constexpr const char* frame_fault_kinds =
    "drop, delay 20 ms, duplicate, reorder, length 4, id 0x123, freeze, freeze SIGNAL, value SIGNAL 12.5, checksum, "
    "counter";

class FrameFaults {
 public:
  static constexpr std::size_t most_delayed = 1024;  ///< frames; those beyond are lost, counted

  /// @param messages  by index; they must outlive the faults
  explicit FrameFaults(std::vector<const MessageInfo*> messages);

  /// In place of the fault that the message has.   Real-time: wait-free. One thread at a time.
  void inject(std::size_t message, const FrameFault& fault) noexcept;
  void clear(std::size_t message) noexcept { inject(message, {}); }

  // The I/O thread:
  /// What becomes of the signals of a frame, before it is protected or after it has been checked.
  void alter(std::size_t message, Frame& frame);
  struct Outcome {
    std::array<Frame, 2> frames;  ///< one that another has passed has its stamp: it comes with it
    std::size_t count = 0;
    bool counter_stands = false;  ///< counter: the frame, alone, is to have that of the one before
  };
  /// What becomes of a frame of a message: none, one or two that go on now.
  [[nodiscard]] Outcome meet(std::size_t message, const Frame& frame, WallTime now);
  /// The next frame whose delay is over, as if it came now.  @return false: there is none
  [[nodiscard]] bool take_delayed(WallTime now, Frame& frame);
  /// Frames that a fault has met. Those that do not carry its signal do not count.
  [[nodiscard]] std::uint64_t met(std::size_t message) const { return slots_[message].met; }
  [[nodiscard]] std::uint64_t lost() const { return lost_; }
  /// Frames that wait for the end of their delay, or for the one that passes them.
  [[nodiscard]] std::uint64_t held() const;

 private:
  struct Slot {
    std::atomic<std::uint64_t> order{0};      ///< a fault and how many were before it, in one word
    std::uint64_t seen = 0, met = 0;          // [io]
    FrameFault fault;                         // [io] being obeyed
    std::optional<Frame> held;                // [io] reorder: waits for the one that passes it
    std::optional<Frame> frozen;              // [io] freeze: the first that it met
    std::optional<std::uint64_t> frozen_raw;  // [io] freeze_signal: likewise
  };
  struct Delayed {
    WallTime due;
    std::uint64_t number = 0;  ///< of two that are due at once, who came first
    Frame frame;
  };
  static bool later(const Delayed& a, const Delayed& b) {
    return a.due > b.due || (a.due == b.due && a.number > b.number);
  }
  static void read_order(Slot& slot);
  static FrameFault obeyed(Slot& slot, bool by_signals);
  static void alter_signal(Slot& slot, const FrameFault& fault, const SignalBits& signal, Frame& frame);
  static void break_checksum(const Protection* protection, Frame& frame);
  void delay(const Frame& frame, WallTime due);

  std::vector<const MessageInfo*> messages_;
  std::vector<Slot> slots_;
  std::vector<Delayed> delayed_;  // [io] a heap, the earliest first
  std::uint64_t number_ = 0, lost_ = 0;
};

}  // namespace takt::can
