#include "runtime/executive/clock.hpp"

#include <sched.h>
#include <time.h>

#include <limits>

#include "cycle_counter.hpp"  // of the platform, chosen by CMake
#include "runtime/plant/wall_clock.hpp"

namespace takt {
namespace {

struct Sample {
  WallTime time;
  std::uint64_t ticks;
};

/// The pair taken closest together of several, so that an interruption between the two readings does not count.
Sample sample() noexcept {
  Sample best{};
  WallDuration smallest{std::numeric_limits<std::int64_t>::max()};
  for (int i = 0; i < 20; ++i) {
    const WallTime before = wall_now();
    const std::uint64_t ticks = platform::cycle_counter();
    const WallTime after = wall_now();
    if (after - before < smallest) smallest = after - before, best = {before + (after - before) / 2, ticks};
  }
  return best;
}

}  // namespace

SystemClock::SystemClock() {
  if (const std::uint64_t frequency = platform::cycle_counter_frequency(); frequency > 0) {
    ns_per_tick_ = 1e9 / static_cast<double>(frequency);
    return;
  }
  const Sample start = sample();
  sleep_until(start.time + WallDuration{20'000'000});
  const Sample end = sample();
  ns_per_tick_ = static_cast<double>((end.time - start.time).ns()) / static_cast<double>(end.ticks - start.ticks);
}

WallTime SystemClock::now() noexcept { return wall_now(); }

std::uint64_t SystemClock::ticks() noexcept { return platform::cycle_counter(); }

std::uint64_t SystemClock::ticks_in_passing() noexcept { return platform::cycle_counter_in_passing(); }

void SystemClock::sleep_until(WallTime time) noexcept {
  const timespec t = to_timespec(time);
  // A signal ends the sleep early; the time is absolute, so asking again is exact.
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr) != 0 && wall_now() < time) {
  }
}

void SystemClock::spin_until(WallTime time) noexcept {
  while (wall_now() < time) {
  }
}

void SystemClock::yield() noexcept { sched_yield(); }

}  // namespace takt
