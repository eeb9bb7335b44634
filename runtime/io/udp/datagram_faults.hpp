#pragma once
// What goes wrong with frames on their way: set by anybody, obeyed by the I/O thread.

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/io/udp/plan.hpp"
#include "runtime/plant/time.hpp"

namespace takt::udp {

struct Fault {
  enum class Kind : std::uint8_t { none, drop, delay, freeze } kind = Kind::none;
  std::uint32_t delay_us = 0;
  std::uint16_t frames = 0;  ///< that meet it; 0: all
};

/// Of frames, for people.
inline constexpr const char* frame_fault_kinds = "drop, delay 20 ms, freeze; with xN behind it of N frames";
inline constexpr const char* bus_fault_kinds = "cut";

/// "drop x5", "delay 20 ms", "freeze".  @throw std::runtime_error  what is wrong and what would do
[[nodiscard]] Fault read_fault(std::string_view text);
[[nodiscard]] std::string text(const Fault& fault);
/// A fault as one word; 0: none.
[[nodiscard]] std::uint64_t word_of(const Fault& fault) noexcept;
[[nodiscard]] Fault fault_of(std::uint64_t word) noexcept;

/// Where something can go wrong: the frames of one layout in one direction.
class FaultPoint {
 public:
  /// Anybody.  Real-time: wait-free. The same again begins its count again.
  void inject(std::uint64_t word) noexcept {
    const std::uint64_t turn = ((word_.load(std::memory_order_relaxed) >> turn_shift) + 1) << turn_shift;
    word_.store((word & word_mask) | turn, std::memory_order_relaxed);
  }
  /// The I/O thread: a frame passes.  @return what it meets
  Fault meet() noexcept {
    const std::uint64_t word = word_.load(std::memory_order_relaxed);
    if (word != seen_) seen_ = word, fault_ = fault_of(word & word_mask), left_ = fault_.frames;
    if (fault_.kind == Fault::Kind::none) return {};
    ++met_;
    const Fault fault = fault_;
    if (left_ > 0 && --left_ == 0) fault_ = {};
    return fault;
  }
  [[nodiscard]] std::uint64_t met() const noexcept { return met_; }

 private:
  static constexpr unsigned turn_shift = 48;
  static constexpr std::uint64_t word_mask = (std::uint64_t{1} << turn_shift) - 1;
  std::atomic<std::uint64_t> word_{0};
  std::uint64_t seen_ = 0, met_ = 0;
  Fault fault_;
  std::uint16_t left_ = 0;
};

/// Frames that come later. One thread.
class DelayedFrames {
 public:
  struct Frame {
    WallTime due;
    std::size_t place = 0, length = 0;
    std::array<std::uint8_t, most_bytes> bytes;
    [[nodiscard]] std::span<const std::uint8_t> data() const noexcept { return {bytes.data(), length}; }
  };
  static constexpr std::size_t most = 256;

  /// Before anything is delayed: allocates.
  void prepare() { frames_.reserve(most); }
  /// @return false: there is no room, the frame is lost
  bool put(std::span<const std::uint8_t> bytes, std::size_t place, WallTime due) noexcept;
  /// One whose time has come, the earliest first.
  std::optional<Frame> take(WallTime now) noexcept;
  [[nodiscard]] std::uint64_t lost() const noexcept { return lost_; }
  [[nodiscard]] std::size_t held() const noexcept { return frames_.size(); }

 private:
  std::vector<Frame> frames_;
  std::uint64_t lost_ = 0;
};

}  // namespace takt::udp
