#pragma once
// Frames that stayed away and came back, as the real-time thread has seen it.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/plant/time.hpp"

namespace takt::udp {

struct TimeOut {
  enum class Is : std::uint8_t { never_seen, timed_out, back } is = Is::never_seen;
  std::uint16_t bus = 0, frame = 0;
  SimTime time;
  WallDuration age;
};

/// One writer, the real-time thread; others read below size().
class TimeOutLog {
 public:
  static constexpr std::size_t most = 4096;
  TimeOutLog() : entries_(most) {}

  /// Real-time: wait-free.
  void note(const TimeOut& entry) noexcept {
    const std::size_t count = count_.load(std::memory_order_relaxed);  // its only writer
    if (count >= most) {
      lost_.store(lost_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
      return;
    }
    entries_[count] = entry;
    count_.store(count + 1, std::memory_order_release);  // (a) who sees the count sees the entry
  }
  [[nodiscard]] std::size_t size() const noexcept { return count_.load(std::memory_order_acquire); }  // (a)
  [[nodiscard]] const TimeOut& operator[](std::size_t index) const noexcept { return entries_[index]; }
  /// Those that found no room.
  [[nodiscard]] std::uint64_t lost() const noexcept { return lost_.load(std::memory_order_relaxed); }

 private:
  std::vector<TimeOut> entries_;
  std::atomic<std::size_t> count_{0};
  std::atomic<std::uint64_t> lost_{0};
};

}  // namespace takt::udp
