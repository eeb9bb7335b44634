#pragma once
// Time as the executive sees it: a clock for the grid, a counter for durations. An interface, so that the logic of
// pacing and overruns is tested in simulated time.

#include <cstdint>

#include "runtime/plant/time.hpp"

namespace takt {

/// Real-time: all calls wait-free but sleep_until(), which is one clock_nanosleep.
class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual WallTime now() noexcept = 0;
  virtual void sleep_until(WallTime time) noexcept = 0;
  /// Waits without giving the CPU away.
  virtual void spin_until(WallTime time) noexcept = 0;
  /// Lets another thread of this CPU go first. Not in real time: a system call.
  virtual void yield() noexcept {}
  [[nodiscard]] virtual std::uint64_t ticks() noexcept = 0;
  /// Between two windows, where no wait for what is still under way is worth its time.
  [[nodiscard]] virtual std::uint64_t ticks_in_passing() noexcept { return ticks(); }
  [[nodiscard]] double ns_per_tick() const noexcept { return ns_per_tick_; }
  [[nodiscard]] WallDuration duration_of(std::uint64_t ticks) const noexcept {
    return WallDuration{static_cast<std::int64_t>(static_cast<double>(ticks) * ns_per_tick_)};
  }

 protected:
  double ns_per_tick_ = 1.0;
};

/// CLOCK_MONOTONIC and the CPU's counter. The constructor measures the counter's rate for 20 ms where the CPU does not
/// tell.
class SystemClock final : public Clock {
 public:
  SystemClock();
  [[nodiscard]] WallTime now() noexcept override;
  void sleep_until(WallTime time) noexcept override;
  void spin_until(WallTime time) noexcept override;
  void yield() noexcept override;
  [[nodiscard]] std::uint64_t ticks() noexcept override;
  [[nodiscard]] std::uint64_t ticks_in_passing() noexcept override;
};

}  // namespace takt
