#include "runtime/executive/clock.hpp"

#include <time.h>

#include <limits>

#include "cycle_counter.hpp"  // of the platform, chosen by CMake

namespace takt {
namespace {

struct Sample {
  std::int64_t ns;
  std::uint64_t ticks;
};

std::int64_t monotonic_ns() noexcept {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1'000'000'000 + t.tv_nsec;
}

/// The pair taken closest together of several, so that an interruption between the two readings does not count.
Sample sample() noexcept {
  Sample best{};
  std::int64_t smallest = std::numeric_limits<std::int64_t>::max();
  for (int i = 0; i < 20; ++i) {
    const std::int64_t before = monotonic_ns();
    const std::uint64_t ticks = platform::cycle_counter();
    const std::int64_t after = monotonic_ns();
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
  sleep_until(start.ns + 20'000'000);
  const Sample end = sample();
  ns_per_tick_ = static_cast<double>(end.ns - start.ns) / static_cast<double>(end.ticks - start.ticks);
}

std::int64_t SystemClock::now_ns() noexcept { return monotonic_ns(); }

std::uint64_t SystemClock::ticks() noexcept { return platform::cycle_counter(); }

std::uint64_t SystemClock::ticks_in_passing() noexcept { return platform::cycle_counter_in_passing(); }

void SystemClock::sleep_until(std::int64_t time_ns) noexcept {
  const timespec t{time_ns / 1'000'000'000, time_ns % 1'000'000'000};
  // A signal ends the sleep early; the time is absolute, so asking again is exact.
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr) != 0 && monotonic_ns() < time_ns) {
  }
}

void SystemClock::spin_until(std::int64_t time_ns) noexcept {
  while (monotonic_ns() < time_ns) {
  }
}

}  // namespace takt
