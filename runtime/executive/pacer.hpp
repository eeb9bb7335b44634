#pragma once
// The grid of releases in wall time, and what becomes of it when the plant is late.

#include <algorithm>
#include <cstdint>

#include "runtime/executive/clock.hpp"

namespace takt {

/// Release k is at origin + (k + dropped) * period; the phase of the grid never moves.
/// On time: sleep to (release - spin), then busy-wait. Late: at most `max_catch_up` periods in a row are computed
/// without waiting; then whole periods are dropped from pacing (simulated time falls behind the wall clock by them, and
/// they are counted) so that the thread sleeps again. It also sleeps at least 6 % of the time it has been awake, which
/// keeps a real-time thread below the kernel's limit of 95 %.
class Pacer {
 public:
  struct Settings {
    std::int64_t period_ns = 1'000'000;
    std::int64_t spin_ns = 50'000;
    int max_catch_up = 10;
  };
  struct Wake {
    std::int64_t release_ns = 0;
    std::int64_t woken_ns = 0;    ///< work can begin
    std::int64_t wakeup_ns = -1;  ///< how late the sleep ended; -1: has not slept
    std::uint32_t dropped = 0;    ///< periods dropped just before this release
    bool waited = false;          ///< was early: whatever makes it late now is its own
  };

  Pacer(Clock& clock, Settings settings) : clock_(clock), settings_(settings) {
    settings_.spin_ns = std::min(settings_.spin_ns, settings_.period_ns / 4);
  }

  void begin(std::int64_t origin_ns) noexcept { origin_ns_ = origin_ns, awake_since_ns_ = clock_.now_ns(); }

  /// Waits for release k.  @param delay_ns  for tests: sleep that long past the release
  /// Real-time: one clock_nanosleep at most.
  Wake wait(std::uint64_t k, std::int64_t delay_ns = 0) noexcept {
    Wake wake;
    const std::int64_t now = clock_.now_ns();
    wake.release_ns = release(k);
    if (now >= wake.release_ns) {
      if (caught_up_ < settings_.max_catch_up) {
        ++caught_up_;
        wake.woken_ns = now;
        return wake;
      }
      wake.dropped = drop(now, wake.release_ns);
      wake.release_ns = release(k);
    }
    caught_up_ = 0;
    wake.waited = true;
    sleep(now, wake, delay_ns);
    return wake;
  }

  [[nodiscard]] std::uint64_t dropped() const noexcept { return dropped_; }

 private:
  [[nodiscard]] std::int64_t release(std::uint64_t k) const noexcept {
    return origin_ns_ + static_cast<std::int64_t>(k + dropped_) * settings_.period_ns;
  }
  std::uint32_t drop(std::int64_t now, std::int64_t release_ns) noexcept {
    const std::int64_t rest = std::max(settings_.period_ns / 2, (now - awake_since_ns_) * 6 / 100) + settings_.spin_ns;
    const std::int64_t periods = (now + rest - release_ns + settings_.period_ns - 1) / settings_.period_ns;
    dropped_ += static_cast<std::uint64_t>(periods);
    return static_cast<std::uint32_t>(periods);
  }
  void sleep(std::int64_t now, Wake& wake, std::int64_t delay_ns) noexcept {
    // Short of time, half of what is left is still slept.
    const std::int64_t target = wake.release_ns - std::min(settings_.spin_ns, (wake.release_ns - now) / 2);
    clock_.sleep_until(delay_ns > 0 ? wake.release_ns + delay_ns : target);
    awake_since_ns_ = clock_.now_ns();
    wake.wakeup_ns = std::max<std::int64_t>(0, awake_since_ns_ - target);
    if (awake_since_ns_ < wake.release_ns) {
      clock_.spin_until(wake.release_ns);
      wake.woken_ns = clock_.now_ns();
    } else {
      wake.woken_ns = awake_since_ns_;
    }
  }

  Clock& clock_;
  Settings settings_;
  std::int64_t origin_ns_ = 0, awake_since_ns_ = 0;
  std::uint64_t dropped_ = 0;
  int caught_up_ = 0;
};

}  // namespace takt
