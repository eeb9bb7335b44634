#include "runtime/program/busiest_windows.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "runtime/solver/time_instants.hpp"
#include "tests/runtime/executive/simulated_clock.hpp"

namespace {

constexpr std::int64_t ms = 1'000'000, us = 1'000;

takt::test::SimulatedClock* wall = nullptr;

/// One instant in every window of 10 ms up to 1 s, five in that at 20 s; 0.5 ms into a step, or on its end.
double next_instant(const std::byte* /*own*/, double t) noexcept {
  for (const double at : {20.0005, 20.001, 20.0015, 20.0025, 20.0026, 20.0095})
    if (t >= 1.0 && at > t) return at;
  if (t >= 1.0) return std::numeric_limits<double>::infinity();
  return takt::instant_after(t, 0.0005, 0.010);
}

/// Takes 2 us, and 3 us for each cut.
void run(std::byte* own, const takt::Window& window) noexcept {
  CHECK(std::to_integer<int>(own[0]) == 7);  // the state that it began with
  own[0] = std::byte{8};
  const double begin = 1e-9 * static_cast<double>(window.start_ns), end = begin + 0.010;
  std::int64_t taken = 2 * us;
  for (double t = next_instant(own, begin); t < end; t = next_instant(own, t))
    if (std::abs(t - 20.001) > 1e-9) taken += 3 * us;
  wall->compute(taken);
}

}  // namespace

TEST_CASE("the window that functions of the time cut most often is found beyond what was rehearsed, and measured") {
  takt::test::SimulatedClock clock;
  wall = &clock;
  alignas(64) std::byte memory[64] = {std::byte{7}};
  takt::SubsystemDescription rows[2]{};
  rows[0].name = "smooth";
  rows[1].name = "driven";
  rows[1].next_instant = next_instant;
  for (takt::SubsystemDescription& row : rows) {
    row.step_ns = ms;
    row.period_ns = 10 * ms;
    row.touched = 64;
    row.run = run;
  }
  takt::PlantDescription plant{};
  plant.memory = memory;
  plant.subsystems = rows;

  auto windows = takt::busiest_windows(plant, 4'000 * ms, 30'000 * ms);
  REQUIRE(windows.size() == 1);
  CHECK(windows[0].subsystem == 1);
  CHECK(windows[0].at_ns == 20'000 * ms);
  CHECK(windows[0].cuts == 5);  // that on the end of a step cuts none
  CHECK(windows[0].met == 1);
  takt::measure_cuts(plant, windows, clock);
  CHECK(windows[0].more_us == Approx(12));
  CHECK(std::to_integer<int>(memory[0]) == 7);

  CHECK(takt::busiest_windows(plant, 4'000 * ms, 15'000 * ms).empty());   // the run ends before it
  CHECK(takt::busiest_windows(plant, 25'000 * ms, 30'000 * ms).empty());  // the rehearsal has been there
}
