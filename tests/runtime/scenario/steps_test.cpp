// Steps: when they begin, what they do, what goes on in the background.

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/runtime/scenario/bench_plant.hpp"

namespace takt::test {
namespace {

std::vector<std::pair<int, double>> settings(const BenchSink& sink) {
  std::vector<std::pair<int, double>> all;
  for (std::size_t k = 0; k < sink.actions.size(); ++k)
    all.emplace_back(static_cast<int>(sink.times[k] / 1'000'000), sink.actions[k].value);
  return all;
}

TEST_CASE("steps_begin_at_their_times") {
  BenchRun run(R"(
[[step]]
at = "5 ms"
set = { torque = "1 N*m" }
[[step]]
after = "3 ms"
set = { torque = "2 N*m" }
[[step]]
when = "translational.car.v > 2 m/s"
set = { torque = "3 N*m" }
[[step]]
set = { enable = 1 }
)");
  (void)run.until(100, [](BenchMemory& memory, int ms) { memory.speed = 0.1 * ms; });
  CHECK(settings(run.sink) == std::vector<std::pair<int, double>>{{5, 1.0}, {8, 2.0}, {21, 3.0}, {21, 1.0}});
}

TEST_CASE("inputs_of_time_0_are_there_from_the_start") {
  BenchRun run("[[step]]\nset = { torque = \"7 N*m\" }\n[[step]]\nafter = \"1 ms\"\nset = { torque = \"8 N*m\" }\n");
  run.scenario.start(run.sink);
  CHECK(run.bench.memory.torque == 7.0);
}

TEST_CASE("variables_stand_for_quantities") {
  BenchRun run(R"(
[variables]
base = "4 N*m"
high = "2*base"
[[step]]
at = "1 ms"
set = { torque = "high + 1 N*m" }
)");
  (void)run.until(10);
  CHECK(run.bench.memory.torque == 9.0);
}

TEST_CASE("loops_are_unrolled_and_count_their_rounds") {
  BenchRun run(R"(
[[step]]
repeat = 3
[[step.step]]
after = "2 ms"
set = { torque = "10 N*m*round" }
[[step.step]]
after = "1 ms"
expect = "torque == 10 N*m*round"
)");
  const ScenarioResult result = run.until(100);
  CHECK(settings(run.sink) == std::vector<std::pair<int, double>>{{2, 10.0}, {5, 20.0}, {8, 30.0}});
  REQUIRE(result.expectations.size() == 3);
  CHECK(result.verdict == Whole::passed);
  CHECK(result.expectations[2].name == "torque == 10 N*m*round (round 3)");
}

TEST_CASE("a_condition_that_does_not_hold_in_time_ends_the_scenario") {
  BenchRun run(
      "[[step]]\nname = \"drives\"\nwhen = \"translational.car.v > 2 m/s\"\ntimeout = \"10 ms\"\n"
      "expect = \"time > 0\"\n");
  const ScenarioResult result = run.until(100);
  CHECK(result.verdict == Whole::failed);
  CHECK(result.because == "step \"drives\" (test.toml:1): its condition did not hold within 0.01 s");
  CHECK(run.sink.stopped == "a step of the scenario did not begin in time");
  CHECK(run.ended_ms == 10);
}

TEST_CASE("a_time_that_has_passed_is_a_failure") {
  BenchRun run("[[step]]\nat = \"20 ms\"\nexpect = \"time > 0\"\n[[step]]\nat = \"10 ms\"\nexpect = \"time > 0\"\n");
  const ScenarioResult result = run.until(100);
  CHECK(result.verdict == Whole::failed);
  CHECK(result.because == "a step should have begun before the one in front of it was done, at 0.02 s");
}

TEST_CASE("a_ramp_starts_where_the_input_is_and_arrives") {
  BenchRun run(R"(
[[step]]
at = "1 ms"
set = { torque = "2 N*m" }
[[step]]
after = "1 ms"
ramp = { torque = { to = "10 N*m", over = "4 ms" } }
)");
  (void)run.until(100);
  CHECK(settings(run.sink) ==
        std::vector<std::pair<int, double>>{{1, 2.0}, {2, 2.0}, {3, 4.0}, {4, 6.0}, {5, 8.0}, {6, 10.0}});
  CHECK(run.ended_ms == 6);
}

TEST_CASE("a_later_step_takes_an_input_from_a_waveform") {
  BenchRun run(R"(
[[step]]
ramp = { torque = { from = 0, to = "100 N*m", over = "100 ms" } }
[[step]]
at = "5 ms"
set = { torque = "1 N*m" }
[[step]]
after = "5 ms"
expect = "torque == 1 N*m"
)");
  CHECK(run.until(200).verdict == Whole::passed);
}

TEST_CASE("a_sine_and_a_table_follow_their_formulas") {
  BenchRun run(R"(
[[step]]
sine = { torque = { mean = "3 N*m", amplitude = "2 N*m", frequency = "250 Hz", over = "4 ms" } }
table = { enable = { points = [[0, 0], [2, 1], [4, 0]], x_unit = "ms" } }
)");
  std::vector<double> torque, enable;
  (void)run.until(4, [&](BenchMemory& memory, int ms) {
    if (ms > 0) torque.push_back(memory.torque), enable.push_back(memory.enable);
  });
  for (std::size_t k = 0; k < torque.size(); ++k)
    CHECK(torque[k] ==
          Approx(3.0 + 2.0 * std::sin(2.0 * 3.141592653589793 * 0.25 * static_cast<double>(k))).margin(1e-12));
  CHECK(enable == std::vector<double>{0.0, 0.5, 1.0, 0.5});
}

TEST_CASE("until_ends_a_waveform") {
  BenchRun run(
      "[[step]]\nramp = { torque = { from = 0, to = \"100 N*m\", over = \"100 ms\" } }\n"
      "until = \"torque > 6.5 N*m\"\n[[step]]\nafter = \"30 ms\"\nexpect = \"abs(torque - 7 N*m) < 1 uN*m\"\n");
  CHECK(run.until(200).verdict == Whole::passed);
}

TEST_CASE("an_action_without_room_is_a_failure") {
  BenchRun run("[[step]]\nat = \"1 ms\"\nset = { torque = \"1 N*m\" }\nexpect = \"time > 0\"\n");
  run.sink.room = 0;
  const ScenarioResult result = run.until(10);
  CHECK(result.verdict == Whole::failed);
  CHECK(result.because == "1 actions found no room and were not taken");
}

TEST_CASE("what_needs_no_look_asks_for_none") {
  BenchRun run(
      "[[step]]\nat = \"5 ms\"\nset = { torque = \"1 N*m\" }\n[[step]]\nat = \"9 ms\"\n"
      "expect = \"translational.car.v < 1 m/s\"\n");
  run.scenario.direct({}, run.sink);
  CHECK_FALSE(run.scenario.may_act_at(SimTime{4'000'000}));
  CHECK(run.scenario.may_act_at(SimTime{5'000'000}));
  run.scenario.direct(SimTime{5'000'000}, run.sink);
  CHECK_FALSE(run.scenario.looks_at(SimTime{8'000'000}));
  CHECK(run.scenario.looks_at(SimTime{9'000'000}));
}

}  // namespace
}  // namespace takt::test
