#pragma once
// The grid of releases in wall time, and what becomes of it when the plant is late.

#include <algorithm>
#include <cstdint>

#include "runtime/executive/clock.hpp"

namespace takt {

/// Release k is at origin + (k + dropped) * period; the phase of the grid never moves, but where it follows the clock
/// of another host. On time: sleep to (release - spin), then busy-wait. Late: at most `max_catch_up` periods in a row
/// are computed without waiting; then whole periods are dropped from pacing (simulated time falls behind the wall clock
/// by them, and they are counted) so that the thread sleeps again. It also sleeps at least 6 % of the time it has been
/// awake, which keeps a real-time thread below the kernel's limit of 95 %.
class Pacer {
 public:
  struct Settings {
    SimDuration period{1'000'000};
    WallDuration spin{50'000};
    SimDuration shortest{0};  ///< between two releases within a period; 0: there are none within
    int max_catch_up = 10;
    bool skip = false;  ///< never computes without having waited, but where when_late() says so
  };
  struct Wake {
    WallTime release;
    WallTime woken;             ///< work can begin
    WallDuration wakeup{-1};    ///< how late the sleep ended; below zero: has not slept
    std::uint32_t dropped = 0;  ///< periods dropped just before this release
    bool waited = false;        ///< was early: whatever makes it late now is its own
  };

  Pacer(Clock& clock, Settings settings)
      : clock_(clock),
        period_(at_real_time(settings.period)),
        spin_(std::min(settings.spin,
                       at_real_time(settings.shortest > SimDuration{} ? settings.shortest : settings.period) / 4)),
        max_catch_up_(settings.max_catch_up),
        skips_(settings.skip) {}

  void begin(WallTime origin) noexcept { origin_ = origin, awake_since_ = clock_.now(); }

  /// Waits for release k.  @param delay  for tests: sleep that long past the release
  /// Real-time: one clock_nanosleep at most.
  Wake wait(std::uint64_t k, WallDuration delay = {}) noexcept {
    Wake wake;
    const WallTime now = clock_.now();
    wake.release = release(k);
    if (now >= wake.release) {
      if (!skips_ && caught_up_ < max_catch_up_) {
        ++caught_up_;
        wake.woken = now;
        return wake;
      }
      wake.dropped = drop(now, wake.release);
      wake.release = release(k);
    }
    caught_up_ = 0;
    wake.waited = true;
    sleep(now, wake, delay);
    return wake;
  }

  /// Waits for a release within the period of release k. Who is late carries it over: only whole periods are dropped.
  /// Real-time: one clock_nanosleep at most.
  Wake wait_within(std::uint64_t k, WallDuration offset) noexcept {
    Wake wake;
    const WallTime now = clock_.now();
    wake.release = release(k) + offset;
    wake.woken = now;
    if (now >= wake.release) return wake;
    caught_up_ = 0;
    wake.waited = true;
    sleep(now, wake, {});
    return wake;
  }

  /// Release 0 is to be there, by another clock: the grid goes there by at most one part in 200 of a period.
  void steer(WallTime origin) noexcept {
    const WallDuration most = period_ / 200;
    origin_ += std::clamp(origin - origin_, WallDuration{} - most, most);
  }
  /// Whether who is late for the next period drops periods there.
  void when_late(bool skips) noexcept { skips_ = skips; }
  [[nodiscard]] std::uint64_t dropped() const noexcept { return dropped_; }
  [[nodiscard]] WallDuration spin() const noexcept { return spin_; }

 private:
  [[nodiscard]] WallTime release(std::uint64_t k) const noexcept {
    return origin_ + period_ * static_cast<std::int64_t>(k + dropped_);
  }
  std::uint32_t drop(WallTime now, WallTime release) noexcept {
    const WallDuration rest = std::max(skips_ ? WallDuration{} : period_ / 2, (now - awake_since_) * 6 / 100) + spin_;
    const std::int64_t periods = (now + rest - release + period_ - WallDuration{1}) / period_;
    dropped_ += static_cast<std::uint64_t>(periods);
    return static_cast<std::uint32_t>(periods);
  }
  void sleep(WallTime now, Wake& wake, WallDuration delay) noexcept {
    // Short of time, half of what is left is still slept.
    const WallTime target = wake.release - std::min(spin_, (wake.release - now) / 2);
    clock_.sleep_until(delay > WallDuration{} ? wake.release + delay : target);
    awake_since_ = clock_.now();
    wake.wakeup = std::max(WallDuration{}, awake_since_ - target);
    if (awake_since_ < wake.release) {
      clock_.spin_until(wake.release);
      wake.woken = clock_.now();
    } else {
      wake.woken = awake_since_;
    }
  }

  Clock& clock_;
  WallDuration period_, spin_;
  int max_catch_up_;
  bool skips_;  // at the next release
  WallTime origin_, awake_since_;
  std::uint64_t dropped_ = 0;
  int caught_up_ = 0;
};

}  // namespace takt
