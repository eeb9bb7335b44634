// What a run comes to, for every combination of what can be wrong with it.
#include <catch2/catch.hpp>

#include "runtime/io/record/run_outcome.hpp"
#include "runtime/io/record/run_verdict.hpp"
#include "runtime/io/record/summary.hpp"

using namespace takt;

namespace {

using Scenario = ScenarioResult::Verdict;

struct Found {
  bool failed = false, untrusted = false, incomplete = false, tolerated = false, late = false;
  bool interrupted = false, cut = false;
  Scenario scenario = Scenario::none;
};

RunResults run_of(const Found& found) {
  RunResults r;
  r.model = r.title = "plant";
  r.paced = true, r.macro_steps = 100, r.macro_step_s = 1e-3, r.simulated_s = r.wall_s = 0.1;
  r.failed = found.failed || ((found.untrusted || found.incomplete) && !found.tolerated);
  if (found.untrusted)
    r.verdicts.push_back({.code = "X008", .where = "electric", .text = "", .tolerated = found.tolerated});
  if (found.incomplete)
    r.verdicts.push_back({.code = "X044",
                          .where = "bus can0",
                          .text = "",
                          .tolerated = found.tolerated,
                          .weight = Verdict::Weight::incomplete});
  if (found.late)
    r.verdicts.push_back(
        {.code = "X043", .where = "", .text = "", .tolerated = found.tolerated, .weight = Verdict::Weight::late});
  r.interrupted = found.interrupted;
  if (found.interrupted) r.stopped_because = "stopped by the user at 0.1 s";
  r.scenario.verdict = found.scenario;
  r.scenario.cut = found.cut;
  return r;
}

template <class Check>
void for_all(const Check& check) {
  for (unsigned bits = 0; bits < 128; ++bits)
    for (const Scenario scenario : {Scenario::none, Scenario::passed, Scenario::failed, Scenario::no_expectation}) {
      const auto has = [&](unsigned bit) { return (bits & (1U << bit)) != 0; };
      check(Found{.failed = has(0),
                  .untrusted = has(1),
                  .incomplete = has(6),
                  .tolerated = has(2),
                  .late = has(3),
                  .interrupted = has(4),
                  .cut = has(5) && scenario == Scenario::failed,
                  .scenario = scenario});
    }
}

}  // namespace

TEST_CASE("a run passes only where nothing was wrong with it") {
  std::size_t passed = 0, late = 0, interrupted = 0;
  for_all([&](const Found& found) {
    const RunResults r = run_of(found);
    const Outcome outcome = outcome_of(r);
    const bool wrong = found.failed || ((found.untrusted || found.incomplete) && !found.tolerated);
    const bool too_late = found.late && !found.tolerated;
    const bool untested = found.scenario == Scenario::failed || found.scenario == Scenario::no_expectation;
    const bool only_cut = found.interrupted && found.cut;
    if (wrong || (untested && !only_cut))
      CHECK(outcome == Outcome::failed);
    else if (too_late)
      CHECK(outcome == Outcome::late);
    else
      CHECK(outcome == (found.interrupted ? Outcome::interrupted : Outcome::passed));
    passed += outcome == Outcome::passed, late += outcome == Outcome::late,
        interrupted += outcome == Outcome::interrupted;
    // What people and programs read says the same.
    CHECK(r.trusted() == (!wrong && !too_late));
    const std::string json = summary_json(r);
    CHECK(json.find("\"exit_code\": " + std::to_string(static_cast<int>(outcome)) + ",") != std::string::npos);
    CHECK(json.find(std::string("\"outcome\": \"") + outcome_word(outcome) + "\"") != std::string::npos);
    if (outcome != Outcome::passed) CHECK(run_verdict(r).level != RunVerdict::Level::good);
  });
  CHECK(passed > 0);
  CHECK(late > 0);
  CHECK(interrupted > 0);
}

TEST_CASE("the heaviest reason is in the headline") {
  const auto headline = [](Found found) { return run_verdict(run_of(found)).headline; };
  CHECK(headline({.untrusted = true, .incomplete = true, .late = true}) == "The results are not to be trusted");
  CHECK(headline({.incomplete = true, .late = true}) == "The results stand, but the run does not count");
  CHECK(summary_table(run_of({.incomplete = true, .late = true}), false).find("does not count:\n") !=
        std::string::npos);
  CHECK(summary_table(run_of({.late = true}), false).find("not real time:\n") != std::string::npos);
}

TEST_CASE("deadlines that may be missed") {
  for (const auto& [words, misses, allowed] : {std::tuple{"0", 1, false},
                                               {"0", 0, true},
                                               {"3", 3, true},
                                               {"3", 4, false},
                                               {"any", 1000, true},
                                               {"1 %", 10, true},
                                               {"1 %", 11, false},
                                               {"1e-2", 10, true},
                                               {"0.01", 11, false}}) {
    const auto tolerance = late_tolerance(words);
    REQUIRE(tolerance);
    CAPTURE(words, misses);
    CHECK(tolerance->allows(static_cast<std::uint64_t>(misses), 1000) == allowed);
  }
  for (const char* wrong :
       {"", "-1", "none", "3 s", "101 %", "%", "1e3", "nan", "nan %", "5 % of them", "18446744073709551616"})
    CHECK_FALSE(late_tolerance(wrong));
}

TEST_CASE("too late is told with how much") {
  RunResults r;
  r.paced = true, r.macro_steps = 500;
  r.overruns.overruns = 500, r.overruns.worst_miss = WallDuration{33'000'000};
  r.rtf.p50 = 4.3;
  CHECK(too_late_text(r, {}) ==
        "missed 500 deadlines in 500 macro-steps, the worst by 33 ms: 4.3 times too slow for real time");
  CHECK(too_late_text(r, {.any = true}).empty());
  // A release within a macro-step is a deadline as good as that of the whole one.
  r.overruns.inner_late = 499, r.overruns.worst_inner = WallDuration{44'000'000};
  CHECK(too_late_text(r, {}) ==
        "missed 500 deadlines in 500 macro-steps, 499 of them within, the worst by 44 ms: 4.3 "
        "times too slow for real time");
  r.overruns.overruns = r.overruns.inner_late = 2;
  CHECK(too_late_text(r, {.count = 1}).find("missed 2 deadlines in 500 macro-steps, 2 of them within") == 0);
  CHECK(too_late_text(r, {.count = 2}).empty());
  r.hosts = {{.name = "lead"}, {.name = "second", .overruns = 2, .worst_miss_ms = 1.0}};
  CHECK(too_late_text(r, {.count = 3}).find("missed 4 deadlines") == 0);
  r.paced = false;
  CHECK(too_late_text(r, {}).empty());
}
