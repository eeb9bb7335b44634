#include "runtime/executive/pacer.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>

#include "tests/runtime/executive/simulated_clock.hpp"

using takt::Pacer;
using takt::WallDuration;
using takt::WallTime;
using takt::test::SimulatedClock;

namespace {
constexpr std::int64_t ms = 1'000'000;
}

TEST_CASE("releases stay on the grid and the spin hides the latency of the sleep") {
  SimulatedClock clock;
  Pacer pacer(clock, {.period = takt::SimDuration{ms}, .spin = WallDuration{50'000}});
  const WallTime origin = clock.time + WallDuration{10 * ms};
  pacer.begin(origin);
  for (std::uint64_t k = 0; k < 100; ++k) {
    const auto wake = pacer.wait(k);
    CHECK(wake.release == origin + WallDuration{static_cast<std::int64_t>(k) * ms});
    CHECK(wake.waited);
    CHECK(wake.woken - wake.release <= WallDuration{100});  // a few readings of the clock
    CHECK(wake.wakeup >= WallDuration{20'000});
    CHECK(wake.wakeup <= WallDuration{20'100});
    clock.compute(300'000);
  }
  CHECK(pacer.dropped() == 0);
}

TEST_CASE("after one stall the grid is kept and the windows are caught up without sleep") {
  SimulatedClock clock;
  Pacer pacer(clock, {.period = takt::SimDuration{ms}, .spin = {}, .max_catch_up = 10});
  const WallTime origin = clock.time + WallDuration{ms};
  pacer.begin(origin);
  int not_waited = 0;
  for (std::uint64_t k = 0; k < 20; ++k) {
    const auto wake = pacer.wait(k);
    CHECK(wake.release == origin + WallDuration{static_cast<std::int64_t>(k) * ms});
    not_waited += wake.waited ? 0 : 1;
    clock.compute(k == 3 ? 5 * ms : 100'000);
  }
  CHECK(not_waited == 5);  // 4.1 ms behind after window 3, 0.9 ms regained in each
  CHECK(pacer.dropped() == 0);
}

TEST_CASE("a stall beyond the bounded catch-up drops whole periods and counts them") {
  SimulatedClock clock;
  Pacer pacer(clock, {.period = takt::SimDuration{ms}, .spin = {}, .max_catch_up = 3});
  const WallTime origin = clock.time + WallDuration{ms};
  pacer.begin(origin);
  std::uint32_t dropped = 0;
  for (std::uint64_t k = 0; k < 40; ++k) {
    const auto wake = pacer.wait(k);
    dropped += wake.dropped;
    CHECK((wake.release - origin).ns() % ms == 0);  // the phase never moves
    clock.compute(k == 5 ? 30 * ms : 200'000);
  }
  // 29.2 ms behind after window 5; three windows regain 2.4 ms; the rest, rounded up to whole periods, is given up,
  // with time for at least half a period or 6 % of the 30 ms awake to sleep.
  CHECK(pacer.dropped() == dropped);
  CHECK(dropped >= 27);
  CHECK(dropped <= 30);
}

TEST_CASE("a plant that is too slow for real time still sleeps 5 % of the time") {
  SimulatedClock clock;
  Pacer pacer(clock, {.period = takt::SimDuration{ms}, .spin = WallDuration{50'000}, .max_catch_up = 100});
  pacer.begin(clock.time + WallDuration{ms});
  const WallTime start = clock.time;
  for (std::uint64_t k = 0; k < 10'000; ++k) {
    pacer.wait(k);
    clock.compute(1'300'000);
  }
  CHECK(clock.slept.seconds() / (clock.time - start).seconds() > 0.05);
}

TEST_CASE("with little time left before the release some of it is still slept") {
  SimulatedClock clock;
  clock.sleep_latency = {};
  Pacer pacer(clock, {.period = takt::SimDuration{ms}, .spin = WallDuration{50'000}});
  pacer.begin(clock.time + WallDuration{ms});
  for (std::uint64_t k = 0; k < 10; ++k) {
    const auto wake = pacer.wait(k);
    CHECK(wake.waited);
    clock.compute(970'000);
  }
  CHECK(clock.sleeps == 10);
}

TEST_CASE("the grid goes to where another clock has it, by at most one part in 200 of a period each time") {
  for (const std::int64_t off : {std::int64_t{-3'000'000}, std::int64_t{1'000}, std::int64_t{5'000'000}}) {
    SimulatedClock clock;
    Pacer pacer(clock, {.period = takt::SimDuration{ms}, .spin = {}, .max_catch_up = 1'000'000});
    const WallTime origin = clock.time + WallDuration{10 * ms};
    pacer.begin(origin);
    WallTime before = origin - WallDuration{ms};
    for (std::uint64_t k = 0; k < 1200; ++k) {
      pacer.steer(origin + WallDuration{off});
      const WallTime release = pacer.wait(k).release;
      CHECK(std::abs((release - before).ns() - ms) <= ms / 200);
      before = release;
      clock.compute(100'000);
    }
    CHECK(before == origin + WallDuration{off} + WallDuration{1199 * ms});
    CHECK(pacer.dropped() == 0);
  }
}
