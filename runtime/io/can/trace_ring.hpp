#pragma once
// Frames of a bus on their way from its I/O thread to the thread that writes traces.

#include <atomic>
#include <boost/lockfree/spsc_queue.hpp>
#include <cstdint>

#include "runtime/io/can/frame.hpp"

namespace takt::can {

/// A frame as it was on the bus.
struct TracedFrame {
  Frame frame;  ///< stamp: when it arrived or left
  bool sent = false;
};

/// One writer, the I/O thread; one reader.
class TraceRing {
 public:
  static constexpr std::size_t capacity = std::size_t{1} << 16U;  ///< 7 s of a full bus of 1 Mbit/s

  TraceRing() : frames_(capacity) {
    while (frames_.push(TracedFrame{})) {  // touches every page: the I/O thread shall meet no page fault
    }
    frames_.reset();
  }

  /// A frame that came from the bus.  Real-time: wait-free.
  void push_received(const Frame& frame) noexcept { push({frame, false}); }
  /// One that the bus has taken.  Real-time: wait-free.
  void push_sent(const Frame& frame, WallTime when) noexcept {
    TracedFrame traced{frame, true};
    traced.frame.stamp = when;
    push(traced);
  }
  /// No frame with an earlier stamp will follow.  Real-time: wait-free.
  void settle(WallTime until) noexcept { settled_.store(until, std::memory_order_release); }

  // reader
  /// Load it before pop(): what is older has then been pushed.
  [[nodiscard]] WallTime settled() const noexcept { return settled_.load(std::memory_order_acquire); }
  [[nodiscard]] bool pop(TracedFrame& frame) { return frames_.pop(frame); }
  /// Frames that found no room.
  [[nodiscard]] std::uint64_t dropped() const noexcept { return dropped_.load(std::memory_order_relaxed); }

 private:
  void push(const TracedFrame& frame) noexcept {
    if (!frames_.push(frame)) dropped_.store(dropped() + 1, std::memory_order_relaxed);  // its only writer
  }
  boost::lockfree::spsc_queue<TracedFrame> frames_;
  std::atomic<WallTime> settled_{};
  std::atomic<std::uint64_t> dropped_{0};
};

}  // namespace takt::can
