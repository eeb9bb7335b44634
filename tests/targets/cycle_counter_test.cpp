#include "cycle_counter.hpp"  // of the platform folder that CMake picked

#include <time.h>

#include <catch2/catch.hpp>

using namespace takt::platform;

namespace {
std::int64_t monotonic_ns() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1'000'000'000 + t.tv_nsec;
}
}  // namespace

TEST_CASE("counter_never_runs_backwards") {
  std::uint64_t last = cycle_counter();
  for (int k = 0; k < 100'000; ++k) {
    const std::uint64_t now = cycle_counter();
    REQUIRE(now >= last);
    last = now;
  }
}

TEST_CASE("counter_has_one_rate_where_it_is_steady") {
  if (!counter_is_steady()) return;
  double rates[2];
  for (double& rate : rates) {
    // Ends are read clock, counter, clock: the interval is known to lie between the inner and the outer pair.
    const std::int64_t begin = monotonic_ns();
    const std::uint64_t from = cycle_counter();
    while (monotonic_ns() - begin < 20'000'000) relax();
    const std::uint64_t to = cycle_counter();
    const std::int64_t end = monotonic_ns();
    rate = static_cast<double>(to - from) / static_cast<double>(end - begin);
    CHECK(rate > 0.0);
    if (cycle_counter_frequency() != 0) CHECK(rate * 1e9 <= 1.01 * static_cast<double>(cycle_counter_frequency()));
  }
  // Interruptions between the paired readings only make an interval longer than what was counted, seldom by half of it.
  CHECK(rates[0] < 2.0 * rates[1]);
  CHECK(rates[1] < 2.0 * rates[0]);
}
