#include "runtime/program/evidence.hpp"

#include <catch2/catch.hpp>

#include "runtime/program/cpu_list.hpp"
#include "runtime/program/host_audit.hpp"

using namespace takt;

namespace {

constexpr std::int64_t ms = 1'000'000;

/// An incident released at 1 s that was woken `wake` late, among samples every 50 ms.
OverrunLog one_late(std::int64_t wake) {
  OverrunLog log;
  OverrunIncident incident;
  incident.release = WallTime{1000 * ms};
  incident.period = WallDuration{ms};
  incident.wake = WallDuration{wake};
  incident.late = WallDuration{wake};
  incident.cause = OverrunCause::woken_late;
  log.incidents.push_back(incident);
  log.incident_count = 1;
  log.by_cause[static_cast<std::size_t>(OverrunCause::woken_late)] = 1;
  return log;
}

std::vector<HostSample> samples(std::int64_t steal_after, std::int64_t delay_after) {
  std::vector<HostSample> list;
  for (std::int64_t t = 0; t < 2000 * ms; t += 50 * ms) {
    const bool after = t > 1000 * ms;
    list.push_back({WallTime{t + 7}, WallDuration{after ? steal_after : 0}, WallDuration{after ? delay_after : 0}});
  }
  return list;
}

OverrunCause cause(std::int64_t wake, std::int64_t steal, std::int64_t delay) {
  OverrunLog log = one_late(wake);
  attribute(log, samples(steal, delay));
  REQUIRE_FALSE(log.incidents[0].evidence.empty());
  std::uint64_t sum = 0;
  for (const auto count : log.by_cause) sum += count;
  REQUIRE(sum == 1);
  REQUIRE(log.by_cause[static_cast<std::size_t>(log.incidents[0].cause)] == 1);
  return log.incidents[0].cause;
}

}  // namespace

TEST_CASE("only evidence turns a delay into theft by the host") {
  CHECK(cause(5 * ms, 0, 0) == OverrunCause::woken_late);
  CHECK(cause(5 * ms, 10 * ms, 0) == OverrunCause::stolen_by_host);
  CHECK(cause(5 * ms, 0, 4 * ms) == OverrunCause::stolen_by_host);
  CHECK(cause(5 * ms, 0, 1 * ms) == OverrunCause::woken_late);   // explains too little
  CHECK(cause(ms / 2, 10 * ms, 0) == OverrunCause::woken_late);  // steal is too coarse for so short a delay
}

TEST_CASE("counters that moved at another time prove nothing") {
  OverrunLog log = one_late(5 * ms);
  std::vector<HostSample> list;
  for (std::int64_t t = 0; t < 2000 * ms; t += 50 * ms)
    list.push_back({WallTime{t + 7}, WallDuration{t >= 500 * ms ? 20 * ms : 0}, {}});
  attribute(log, list);
  CHECK(log.incidents[0].cause == OverrunCause::woken_late);
  log = one_late(5 * ms);
  attribute(log, {});
  CHECK(log.incidents[0].cause == OverrunCause::woken_late);
}

TEST_CASE("the sampler follows the kernel's counters and survives the end of its thread") {
  HostSampler sampler(0);
  sampler.watch(2'000'000'000);  // no such thread
  sampler.stop();
  const auto list = sampler.samples();
  REQUIRE(list.size() >= 2);
  CHECK(list.back().time > list.front().time);
  CHECK(list.back().run_delay == WallDuration{});
}

TEST_CASE("CPU lists of the kernel are read") {
  CHECK(parse_cpu_list("0-2,5") == std::vector<int>{0, 1, 2, 5});
  CHECK(parse_cpu_list("3") == std::vector<int>{3});
  CHECK(parse_cpu_list("").empty());
  CHECK(parse_cpu_list("(null)").empty());
  CHECK(parse_cpu_list("0-").empty());
}

TEST_CASE("the audit tells about everything --strict asks for, and each lack has a cost and a remedy") {
  const auto findings = audit_host(0);
  int required = 0;
  for (const HostFinding& f : findings) {
    CHECK_FALSE(f.value.empty());
    CHECK_FALSE(f.cost.empty());
    CHECK_FALSE(f.remedy.empty());
    required += f.required ? 1 : 0;
  }
  CHECK(required == 3);  // kernel, SCHED_FIFO, locked memory
  for (const HostFinding& f : missing_prerequisites(findings)) CHECK((f.required && !f.good));
}
