// Expectations: when they are decided, and how.

#include <catch2/catch.hpp>
#include <limits>

#include "tests/runtime/scenario/bench_plant.hpp"

namespace takt::test {
namespace {

void ramp_speed(BenchMemory& memory, int ms) { memory.speed = 0.1 * ms; }

ExpectationResult only(const ScenarioResult& result) {
  REQUIRE(result.expectations.size() == 1);
  return result.expectations[0];
}

TEST_CASE("within_is_met_at_the_first_boundary_at_which_it_holds") {
  BenchRun run("[[step]]\nat = \"5 ms\"\nexpect = \"translational.car.v > 1.5 m/s\"\nwithin = \"20 ms\"\n");
  const ScenarioResult result = run.until(1000, ramp_speed);
  const ExpectationResult found = only(result);
  CHECK(result.verdict == Whole::passed);
  CHECK(found.verdict == Verdict::passed);
  CHECK(found.from_s == 0.005);
  CHECK(found.time_s == 0.016);
  CHECK(found.values == "translational.car.v = 1.6 m/s");
  CHECK(found.place == "test.toml:3");
  CHECK(run.sink.stopped == "the scenario has ended");
  CHECK(run.ended_ms == 16);
}

TEST_CASE("both_sides_of_what_is_computed_are_told_in_the_order_of_the_text") {
  const auto values_of = [](const std::string& condition) {
    return only(BenchRun("[[step]]\nat = \"5 ms\"\nexpect = \"" + condition + "\"\n").until(1000, ramp_speed)).values;
  };
  const std::string read = "translational.car.v = 0.5 m/s";
  CHECK(values_of("2*translational.car.v > 1.5 m/s + 1 m/s") == read + ": compared 1 m/s with 2.5 m/s");
  CHECK(values_of("2*translational.car.v < 1.5 m/s + 1 m/s") == read + ": compared 1 m/s with 2.5 m/s");
  CHECK(values_of("translational.car.v*translational.car.v <= 1 m^2/s^2") ==
        read + ": compared 0.25 m^2/s^2 with 1 m^2/s^2");
  CHECK(values_of("abs(torque) < 3 N*m") == "torque = 0 N*m: compared 0 N*m with 3 N*m");
  CHECK(values_of("translational.car.v > 1.5 m/s") == read);
  CHECK(values_of("translational.car.v > 9 km/h") == "translational.car.v = 1.8 km/h");
  CHECK(values_of("2*translational.car.v > 9 km/h") == "translational.car.v = 1.8 km/h: compared 3.6 km/h with 9 km/h");
  CHECK(values_of("translational.car.v > 1.5 m/s and 2*translational.car.v > 1 m/s") == read);
}

TEST_CASE("within_holds_at_the_last_moment_and_not_after_it") {
  const std::string text = "[[step]]\nexpect = \"translational.car.v >= 2 m/s\"\nwithin = \"";
  CHECK(BenchRun(text + "20 ms\"\n").until(1000, ramp_speed).verdict == Whole::passed);
  const ExpectationResult late = only(BenchRun(text + "19 ms\"\n").until(1000, ramp_speed));
  CHECK(late.verdict == Verdict::failed);
  CHECK(late.time_s == 0.019);
  CHECK(late.because == "did not hold in time");
  // Between two boundaries: what holds at the next one is too late.
  CHECK(only(BenchRun(text + "19.5 ms\"\n").until(1000, ramp_speed)).verdict == Verdict::failed);
}

TEST_CASE("within_and_for_must_be_reached_and_kept") {
  const std::string text = "[[step]]\nexpect = \"translational.car.v > 1 m/s\"\nwithin = \"50 ms\"\nfor = \"10 ms\"\n";
  const auto pulse = [](int begin, int end) {
    return [=](BenchMemory& memory, int ms) { memory.speed = ms >= begin && ms < end ? 2.0 : 0.0; };
  };
  CHECK(only(BenchRun(text).until(1000, pulse(20, 31))).verdict == Verdict::passed);
  CHECK(only(BenchRun(text).until(1000, pulse(50, 61))).verdict == Verdict::passed);
  const ExpectationResult left = only(BenchRun(text).until(1000, pulse(45, 55)));
  CHECK(left.verdict == Verdict::failed);
  CHECK(left.because == "held from 0.045 s on, not long enough");
  // What leaves in time may come back in time.
  const auto twice = [](BenchMemory& memory, int ms) { memory.speed = (ms >= 10 && ms < 15) || ms >= 40 ? 2.0 : 0.0; };
  const ExpectationResult back = only(BenchRun(text).until(1000, twice));
  CHECK(back.verdict == Verdict::passed);
  CHECK(back.time_s == 0.050);
  CHECK(only(BenchRun(text).until(1000, pulse(10, 15))).because == "did not hold in time");
}

TEST_CASE("always_fails_at_the_first_boundary_at_which_it_does_not_hold") {
  const std::string text = "[scenario]\nduration = \"50 ms\"\n[[step]]\nalways = \"translational.car.v < 3 m/s\"\n";
  const Scenario::Options ends{.end = SimTime{50'000'000}};
  const ExpectationResult found = only(BenchRun(text, ends).until(50, ramp_speed));
  CHECK(found.verdict == Verdict::failed);
  CHECK(found.time_s == 0.030);
  CHECK(found.because == "did not hold");
  const auto slow = [](BenchMemory& memory, int ms) { memory.speed = 0.01 * ms; };
  const ExpectationResult held = only(BenchRun(text, ends).until(50, slow));
  CHECK(held.verdict == Verdict::passed);
  CHECK(held.time_s == 0.050);
}

TEST_CASE("for_and_until_are_the_end_of_what_must_hold") {
  const auto verdict = [](const std::string& keys) {
    return only(BenchRun("[[step]]\nalways = \"translational.car.v < 3 m/s\"\n" + keys).until(1000, ramp_speed))
        .verdict;
  };
  CHECK(verdict("for = \"29 ms\"\n") == Verdict::passed);
  CHECK(verdict("for = \"30 ms\"\n") == Verdict::failed);
  CHECK(verdict("until = \"time >= 30 ms\"\n") == Verdict::passed);
  CHECK(verdict("until = \"time >= 31 ms\"\n") == Verdict::failed);
  CHECK(verdict("until = \"time > 1 s\"\ntimeout = \"10 ms\"\n") == Verdict::failed);
}

TEST_CASE("never_is_the_opposite_of_always") {
  const auto verdict = [](const std::string& keys) {
    return only(BenchRun("[[step]]\nfor = \"20 ms\"\n" + keys).until(1000, ramp_speed)).verdict;
  };
  CHECK(verdict("never = \"translational.car.v > 2 m/s\"\n") == Verdict::passed);
  CHECK(verdict("never = \"translational.car.v > 1 m/s\"\n") == Verdict::failed);
  CHECK(verdict("expect = \"translational.car.v > 2 m/s\"\nnever = true\n") == Verdict::passed);
}

TEST_CASE("a_band_follows_its_reference") {
  const auto found = [](const std::string& band) {
    return only(BenchRun("[[step]]\nat = \"10 ms\"\nfor = \"100 ms\"\nband = { signal = \"translational.car.v\", " +
                         band + " }\n")
                    .until(1000, ramp_speed));
  };
  const std::string line = "reference = { points = [[0, \"1 m/s\"], [\"1 s\", \"101 m/s\"]] }";
  CHECK(found(line + ", tolerance = \"1 mm/s\"").verdict == Verdict::passed);
  const ExpectationResult constant = found("reference = \"5 m/s\", tolerance = \"4.05 m/s\"");
  CHECK(constant.verdict == Verdict::failed);
  CHECK(constant.because == "outside the band");
  CHECK(constant.time_s == Approx(0.091));
  CHECK(constant.values == "translational.car.v = 9.1 m/s, reference = 5 m/s +- 4.05 m/s");
  CHECK(found("reference = \"5 m/s\", relative = \"130 %\"").verdict == Verdict::passed);
  CHECK(found("reference = \"5 m/s\", relative = \"110 %\"").verdict == Verdict::failed);
}

TEST_CASE("a_value_that_is_not_finite_fails_whatever_is_expected") {
  for (const std::string keys :
       {"expect = \"not electric.link.v > 1 V\"\n", "never = \"electric.link.v > 1 V\"\nfor = \"5 ms\"\n",
        "expect = \"electric.link.v > 1 V\"\nwithin = \"50 ms\"\n",
        "band = { signal = \"electric.link.v\", reference = \"400 V\", tolerance = \"1 kV\", for = \"5 ms\" }\n"}) {
    INFO(keys);
    BenchRun run("[[step]]\n" + keys);
    const ExpectationResult found = only(
        run.until(100, [](BenchMemory& memory, int) { memory.link_v = std::numeric_limits<double>::quiet_NaN(); }));
    CHECK(found.verdict == Verdict::failed);
    CHECK(found.because == "a value is not finite");
  }
}

TEST_CASE("what_was_not_decided_has_failed") {
  BenchRun run(
      "[[step]]\nexpect = \"translational.car.v > 90 m/s\"\nwithin = \"1 s\"\n[[step]]\nexpect = \"time > 0\"\n");
  const ScenarioResult result = run.until(50, ramp_speed);
  CHECK(result.verdict == Whole::failed);
  CHECK(result.expectations[0].verdict == Verdict::undecided);
  CHECK(result.expectations[0].because == "not decided: the run ended before");
  CHECK(result.expectations[1].because == "its step did not begin");
  CHECK(result.because.find("did not begin before the run ended at 0.05 s") != std::string::npos);
}

TEST_CASE("a_run_that_somebody_ends_decides_nothing_that_holds_to_the_end") {
  const std::string text = "[[step]]\nalways = \"electric.link.v > 1 V\"\n";
  CHECK(BenchRun(text, {.end = SimTime{50'000'000}}).until(50).verdict == Whole::passed);
  CHECK(BenchRun(text, {.end = SimTime{60'000'000}}).until(50).verdict == Whole::failed);
}

TEST_CASE("without_an_expectation_there_is_no_pass") {
  const ScenarioResult result = BenchRun("[[step]]\nset = { torque = \"1 N*m\" }\n").until(10);
  CHECK(result.verdict == Whole::no_expectation);
  CHECK(result.failed());
}

TEST_CASE("a_replay_gives_the_same_verdict_and_takes_no_action") {
  const std::string text =
      "[[step]]\nset = { torque = \"5 N*m\" }\nexpect = \"translational.car.v > 1 m/s\"\nwithin = \"30 ms\"\n"
      "[[step]]\nnever = \"translational.car.v > 4 m/s\"\nfor = \"50 ms\"\n";
  BenchRun first(text), again(text, {.judge_only = true, .end = SimTime{40'000'000}});
  const ScenarioResult a = first.until(1000, ramp_speed), b = again.until(first.ended_ms, ramp_speed);
  REQUIRE(a.expectations.size() == b.expectations.size());
  for (std::size_t k = 0; k < a.expectations.size(); ++k) {
    CHECK(a.expectations[k].verdict == b.expectations[k].verdict);
    CHECK(a.expectations[k].time_s == b.expectations[k].time_s);
  }
  CHECK(again.sink.actions.empty());
  CHECK(again.sink.stopped.empty());
}

}  // namespace
}  // namespace takt::test

TEST_CASE("values_are_told_in_the_units_that_were_written") {
  const auto written = [](std::initializer_list<const char*> units) {
    takt::WrittenUnits all;
    for (const char* unit : units) all.push_back({unit, *takt::parse_unit(unit)});
    return all;
  };
  CHECK(takt::told_value(104.71975511965977, "rad/s", written({"rpm"})) == "1000 rpm");
  CHECK(takt::told_value(373.15, "K", written({"degC"})) == "100 degC");
  CHECK(takt::told_value(373.15, "K", written({"degC", "K"})) == "373.15 K");  // 5 K may be meant for a difference
  CHECK(takt::told_value(2.0, "N*m", written({"kJ"})) == "2 N*m");
  CHECK(takt::told_value(3.0, "V", written({"A", "ms"})) == "3 V");
  CHECK(takt::told_value(50.0, "rad/s", written({"Hz"})) == "50 rad/s");
  CHECK(takt::told_value(0.5, "1", written({"%"})) == "0.5");
}
