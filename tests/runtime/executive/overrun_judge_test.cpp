#include "runtime/executive/overrun_judge.hpp"

#include <catch2/catch.hpp>

using takt::OverrunCause;
using takt::OverrunJudge;
using takt::StepTiming;
using takt::WallDuration;
using takt::WallTime;

namespace {

constexpr std::int64_t ms = 1'000'000;

/// Macro-step k of 1 ms that usually computes 0.2 ms.
StepTiming in_time(std::uint64_t k) {
  StepTiming t;
  t.macro_step = k;
  t.release = WallTime{static_cast<std::int64_t>(k) * ms};
  t.woken = t.release + WallDuration{20};
  t.compute = WallDuration{200'000};
  t.finish = t.woken + t.compute + WallDuration{1'000};
  t.period = WallDuration{ms};
  t.deadline = t.release + t.period;
  t.waited = true;
  t.first_missed = 3, t.longest = 1, t.before_longest = 0;
  return t;
}

StepTiming late(std::uint64_t k, std::int64_t wake, std::int64_t blocked, std::int64_t compute, std::int64_t rest) {
  StepTiming t = in_time(k);
  t.woken = t.release + WallDuration{wake};
  t.blocked = WallDuration{blocked};
  t.compute = WallDuration{compute};
  t.finish = t.woken + t.blocked + t.compute + WallDuration{rest};
  return t;
}

OverrunCause cause_of(const StepTiming& t) {
  OverrunJudge judge;
  for (std::uint64_t k = 0; k < 100; ++k) REQUIRE_FALSE(judge.judge(in_time(k)));
  REQUIRE(judge.judge(t));
  REQUIRE(judge.log().incidents.size() == 1);
  return judge.log().incidents.front().cause;
}

}  // namespace

TEST_CASE("the largest share of the delay is the cause") {
  CHECK(cause_of(late(100, 900'000, 0, 210'000, 1'000)) == OverrunCause::woken_late);
  CHECK(cause_of(late(100, 20, 0, 1'500'000, 1'000)) == OverrunCause::computed_long);
  CHECK(cause_of(late(100, 20, 850'000, 300'000, 1'000)) == OverrunCause::blocked);
  CHECK(cause_of(late(100, 20, 0, 220'000, 2'000'000)) == OverrunCause::unexplained);
}

TEST_CASE("windows late by one cause are one incident") {
  OverrunJudge judge;
  for (std::uint64_t k = 0; k < 10; ++k) judge.judge(in_time(k));
  judge.judge(late(10, 4 * ms, 0, 200'000, 0));
  for (std::uint64_t k = 11; k < 14; ++k) {
    StepTiming t = late(k, 3 * ms, 0, 200'000, 0);
    t.waited = false;
    CHECK(judge.judge(t));
  }
  for (std::uint64_t k = 14; k < 20; ++k) CHECK_FALSE(judge.judge(in_time(k)));
  CHECK(judge.log().overruns == 4);
  REQUIRE(judge.log().incident_count == 1);
  CHECK(judge.log().incidents[0].windows_late == 4);
  CHECK(judge.log().incidents[0].macro_step == 10);
  CHECK(judge.log().incidents[0].cause == OverrunCause::woken_late);
  CHECK(judge.log().by_cause[0] == 1);
}

TEST_CASE("a second cause while catching up is a second incident") {
  OverrunJudge judge;
  for (std::uint64_t k = 0; k < 10; ++k) judge.judge(in_time(k));
  judge.judge(late(10, 4 * ms, 0, 200'000, 0));
  StepTiming t = late(11, 3 * ms, 0, 1'800'000, 0);
  t.waited = false;
  judge.judge(t);
  REQUIRE(judge.log().incidents.size() == 2);
  CHECK(judge.log().incidents[1].cause == OverrunCause::computed_long);
  CHECK(judge.log().incidents[1].subsystem == 1);  // the one furthest above its usual time
}

TEST_CASE("a plant that is always too slow is computed long each time") {
  OverrunJudge judge;
  for (std::uint64_t k = 0; k < 5; ++k) {
    StepTiming t = late(k, 0, 0, 1'200'000, 0);
    t.waited = k == 0;
    judge.judge(t);
  }
  CHECK(judge.log().by_cause[static_cast<std::size_t>(OverrunCause::computed_long)] == 5);
}

TEST_CASE("lateness within a macro-step is told from a missed deadline, also within one incident") {
  OverrunJudge judge;
  StepTiming first = late(0, 2 * ms, 0, 200'000, 0);
  first.inner = true;
  judge.judge(first);
  StepTiming next = late(1, 4 * ms, 0, 200'000, 0);
  next.waited = false;
  judge.judge(next);
  StepTiming grace = late(2, 9 * ms, 0, 200'000, 0);
  grace.inner = grace.in_grace = true, grace.waited = false;
  judge.judge(grace);
  CHECK(judge.log().overruns == 2);
  CHECK(judge.log().inner_late == 1);
  CHECK(judge.log().deadline_misses() == 1);
  CHECK(judge.log().worst_inner == WallDuration{1'200'000});
  CHECK(judge.log().worst_miss == WallDuration{3'200'000});
  REQUIRE(judge.log().incidents.size() == 1);
  CHECK(judge.log().incidents[0].late == WallDuration{1'200'000});
  CHECK(judge.log().incidents[0].worst == WallDuration{8'200'000});
  CHECK(judge.log().incidents[0].inner_late == 2);
}

TEST_CASE("the list is bounded, the counters are not; the grace period counts apart") {
  OverrunJudge judge(1, 3);
  for (std::uint64_t k = 0; k < 8; ++k) {
    StepTiming t = late(k, 2 * ms, 0, 0, 0);
    t.in_grace = k < 2;
    judge.judge(t);
  }
  CHECK(judge.log().incidents.size() == 3);
  CHECK(judge.log().overruns == 6);
  CHECK(judge.log().overruns_in_grace == 2);
  CHECK(judge.log().incident_count == 6);
}

TEST_CASE("what is usual is told of a plant that was never in time, from its first incident on") {
  OverrunJudge judge;
  for (std::uint64_t k = 0; k < 200; ++k) {
    StepTiming t = late(k, 0, 0, 7'200'000, 0);
    t.waited = k == 0;
    judge.judge(t);
  }
  const takt::OverrunLog log = judge.take();
  REQUIRE(log.incidents.size() == 200);
  for (const auto& incident : log.incidents) {
    CHECK(incident.usual_compute.ns() == Approx(7'200'000).epsilon(0.05));
    CHECK(incident.is_overload());
  }
}

TEST_CASE("one disturbance, even the first macro-step, hardly moves what is usual") {
  for (const std::uint64_t disturbed : {0U, 500U}) {
    OverrunJudge judge;
    for (std::uint64_t k = 0; k < 600; ++k)
      judge.judge(k == disturbed ? late(k, 20, 0, 50 * ms, 1'000)
                  : k == 599     ? late(k, 20, 0, 2 * ms, 1'000)
                                 : in_time(k));
    const takt::OverrunLog log = judge.take();
    REQUIRE(log.incidents.size() == 2);
    CHECK(log.incidents.back().cause == OverrunCause::computed_long);
    CHECK(log.incidents.back().usual_compute.ns() == Approx(200'000).epsilon(0.25));
    CHECK_FALSE(log.incidents.back().is_overload());
  }
}

TEST_CASE("how late overruns were is kept beyond the list, for the whole run") {
  OverrunJudge judge(1, 3);
  for (std::uint64_t k = 0; k < 5000; ++k) {
    StepTiming t = late(k, 2 * ms, 0, 0, 0);
    t.start = takt::SimTime{static_cast<std::int64_t>(k) * ms};
    judge.judge(t);
  }
  const takt::DecimatedSeries& lateness = judge.log().lateness_s;
  REQUIRE(lateness.size() > 100);
  CHECK(lateness[lateness.size() - 1].time_s > 4.9);
  CHECK(lateness[lateness.size() - 1].high == Approx(1e-3).epsilon(0.01));
}

TEST_CASE("what no longer fits the list is counted by cause: number, misses, worst, first and last") {
  OverrunJudge judge(1, 2);
  for (std::uint64_t k = 0; k < 7; ++k) {
    StepTiming t = late(k, static_cast<std::int64_t>(k + 2) * ms, 0, 0, 0);
    t.start = takt::SimTime{static_cast<std::int64_t>(k) * ms};
    t.inner = k == 3;
    judge.judge(t);
  }
  StepTiming after = late(7, 3 * ms, 0, 200'000, 0);  // a consequence of the last one
  after.waited = false;
  judge.judge(after);
  StepTiming grace = late(8, 9 * ms, 0, 0, 0);
  grace.in_grace = true;
  judge.judge(grace);
  const takt::OverrunLog& log = judge.log();
  const takt::UnlistedIncidents& rest = log.unlisted[static_cast<std::size_t>(OverrunCause::woken_late)];
  CHECK(rest.incidents == 5);
  CHECK(rest.incidents + log.incidents.size() == log.incident_count);
  CHECK(rest.windows_late == 6);
  CHECK(rest.inner_late == 1);
  CHECK(rest.first.seconds() == Approx(2e-3));
  CHECK(rest.last.seconds() == Approx(6e-3));
  CHECK(rest.worst.ns() == log.worst_miss.ns());
}
