#include "runtime/audit/plan_trials.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "runtime/executive/executive.hpp"
#include "tests/runtime/executive/simulated_clock.hpp"
#include "tests/runtime/support/two_bodies.hpp"

namespace {

using namespace takt;
using test::TwoBodies;

constexpr std::int64_t ms = 1'000'000;

PlanTimes times(std::int64_t step_ns, std::int64_t period_ns) {
  return {.step_ns = {step_ns, step_ns}, .period_ns = {period_ns}};
}

/// A plant at its start.
template <class Method>
struct Started {
  TwoBodies<Method> plant;
  PlantDescription description;
  explicit Started(test::TwoBodiesOptions options) : plant(options), description(plant.description()) {
    test::SimulatedClock clock;
    Executive executive(description, {}, {.clock = clock});
    REQUIRE(executive.prepare().empty());
  }
  PlanTrials tried(std::vector<PlanTimes> plans, double duration_s) {
    return try_plans(description, plans, {.duration_s = duration_s, .seconds = 1e3});
  }
};

std::size_t place_of(const PlanTrials& trials, const std::string& path) {
  for (std::size_t i = 0; i < trials.signals.size(); ++i)
    if (trials.signals[i].path == path) return i;
  throw std::runtime_error("not recorded: " + path);
}

/// What a run by this plan is off the closed solution, over the range of that.
template <class Method>
double true_error(std::int64_t step_ns, std::int64_t period_ns, int windows) {
  TwoBodies<Method> plant({.window_ns = period_ns, .step_ns = step_ns});
  const PlantDescription description = plant.description();
  double squares = 0.0, low = plant.memory.t1_start, high = low;
  for (int k = 1; k <= windows; ++k) {
    test::SimulatedClock clock;
    Executive executive(description, {.macro_steps = static_cast<std::uint64_t>(k)}, {.clock = clock});
    REQUIRE(executive.prepare().empty());
    executive.run();
    const double exact = plant.exact_t1(static_cast<double>(k * period_ns) * 1e-9);
    squares += (plant.memory.first.x[0] - exact) * (plant.memory.first.x[0] - exact);
    low = std::min(low, exact), high = std::max(high, exact);
  }
  return std::sqrt(squares / (windows + 1)) / (high - low);
}

}  // namespace

TEST_CASE("what a plan is off one with a tenth of its times is what it is off the closed solution, but for a tenth") {
  Started<Euler> plant({.window_ns = 20 * ms, .step_ns = 20 * ms});
  const PlanTrials found = plant.tried({times(20 * ms, 20 * ms), times(2 * ms, 2 * ms)}, 0.4);
  CHECK(found.covered_s == Approx(0.4));
  CHECK(found.samples == 21);  // with the start
  const double estimated = found.plans[0].to_last[place_of(found, "first.t")];
  const double truly = true_error<Euler>(20 * ms, 20 * ms, 20);
  INFO(estimated << " estimated, " << truly << " true");
  CHECK(estimated > 0.8 * truly);
  CHECK(estimated < 1.1 * truly);
}

TEST_CASE("plans of the same times are the same to the last bit, also longer ones than the plant's own") {
  Started<Heun> plant({.window_ns = 10 * ms, .step_ns = 5 * ms});
  const PlanTrials found = plant.tried({times(5 * ms, 10 * ms), times(20 * ms, 20 * ms), times(5 * ms, 10 * ms)}, 0.2);
  for (const double error : found.plans[0].to_last) CHECK(error == 0.0);
  for (const double error : found.plans[2].to_first) CHECK(error == 0.0);
  CHECK(found.plans[1].to_last[place_of(found, "first.t")] > 1e-6);
}

TEST_CASE("inputs and what is not recorded are not compared") {
  Started<Heun> plant({.window_ns = 10 * ms, .step_ns = 5 * ms});
  const PlanTrials found = plant.tried({times(5 * ms, 10 * ms)}, 0.1);
  CHECK(found.signals.size() == 3);
  CHECK_THROWS(place_of(found, "heater"));
  CHECK(found.signals[place_of(found, "second.t")].subsystem == "second");
}

TEST_CASE("a plan that leaves all bounds is told") {
  Started<Euler> plant({.window_ns = 2000 * ms, .step_ns = 2000 * ms});
  const PlanTrials found = plant.tried({times(2000 * ms, 2000 * ms), times(20 * ms, 20 * ms)}, 2000.0);
  CHECK(found.plans[0].to_last[place_of(found, "first.t")] == std::numeric_limits<double>::infinity());
}

TEST_CASE("times that do not nest are refused by name") {
  Started<Heun> plant({.window_ns = 10 * ms, .step_ns = 5 * ms});
  CHECK_THROWS_WITH(plant.tried({times(3 * ms, 10 * ms)}, 0.1), Catch::Contains("step of first"));
  CHECK_THROWS_AS(plant.tried({{.step_ns = {1}, .period_ns = {10 * ms}}}, 0.1), std::invalid_argument);
  CHECK_THROWS_AS(plant.tried({times(1, 0)}, 0.1), std::invalid_argument);
  CHECK_THROWS_AS(plant.tried({}, 0.1), std::invalid_argument);
}

TEST_CASE("trials end where their time does, and say how far they came") {
  Started<Heun> plant({.window_ns = 10 * ms, .step_ns = 5 * ms});
  const std::vector<PlanTimes> plans{times(5 * ms, 10 * ms)};
  const PlanTrials found = try_plans(plant.description, plans, {.duration_s = 1.0, .seconds = 0.0});
  CHECK(found.covered_s == 0.0);
  CHECK(found.samples == 1);
}

TEST_CASE("a plan that the audit would refuse is told, one with a tenth of its times is none") {
  Started<Euler> plant({.window_ns = 20 * ms, .step_ns = 20 * ms});
  const PlanTrials found =
      plant.tried({times(2000 * ms, 2000 * ms), times(20 * ms, 20 * ms), times(2 * ms, 2 * ms)}, 20.0);
  INFO(found.plans[0].verdict << " / " << found.plans[1].verdict);
  CHECK(found.plans[0].verdict.starts_with("X020: "));
  CHECK(found.plans[1].verdict.empty());
  CHECK(found.plans[2].verdict.empty());
}
