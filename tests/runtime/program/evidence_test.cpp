#include "runtime/program/evidence.hpp"

#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <thread>

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

/// What grew while it was late.
struct Grown {
  std::int64_t steal = 0, delay = 0, idle = 0;
  const char* taker = nullptr;
  std::int64_t continued = 0;  // at; 0: it was not stopped
};

std::vector<HostEvidence> all(HostEvidence of_the_only_worker) { return {std::move(of_the_only_worker)}; }

HostEvidence evidence_of(const Grown& grown) {
  HostEvidence evidence;
  for (std::int64_t t = 0; t < 2000 * ms; t += 50 * ms) {
    const bool after = t > 1000 * ms;
    evidence.samples.push_back({.time = WallTime{t + 7},
                                .steal = WallDuration{after ? grown.steal : 0},
                                .run_delay = WallDuration{after ? grown.delay : 0},
                                .kept_from_idle = WallDuration{after ? grown.idle : 0},
                                .idle = {},
                                .taker = grown.taker != nullptr && t == 1050 * ms ? 0 : -1});
  }
  if (grown.taker != nullptr) evidence.takers = {grown.taker};
  if (grown.continued > 0) evidence.continued = {WallTime{grown.continued}};
  return evidence;
}

OverrunCause cause(std::int64_t wake, const Grown& grown) {
  OverrunLog log = one_late(wake);
  attribute(log, all(evidence_of(grown)));
  REQUIRE_FALSE(log.incidents[0].evidence.empty());
  std::uint64_t sum = 0;
  for (const auto count : log.by_cause) sum += count;
  REQUIRE(sum == 1);
  REQUIRE(log.by_cause[static_cast<std::size_t>(log.incidents[0].cause)] == 1);
  return log.incidents[0].cause;
}

}  // namespace

TEST_CASE("only evidence says who made a window late") {
  CHECK(cause(5 * ms, {}) == OverrunCause::woken_late);
  CHECK(cause(5 * ms, {.steal = 10 * ms}) == OverrunCause::stolen_by_host);
  CHECK(cause(ms / 2, {.steal = 10 * ms}) == OverrunCause::woken_late);  // too coarse for so short a delay
  CHECK(cause(5 * ms, {.delay = 4 * ms}) == OverrunCause::preempted);
  CHECK(cause(5 * ms, {.delay = 1 * ms}) == OverrunCause::woken_late);  // explains too little
  CHECK(cause(5 * ms, {.steal = 10 * ms, .delay = 4 * ms}) == OverrunCause::preempted);
  CHECK(cause(5 * ms, {.delay = 4 * ms, .idle = 4 * ms}) == OverrunCause::throttled);
  CHECK(cause(5 * ms, {.delay = 4 * ms, .idle = 1 * ms}) == OverrunCause::preempted);
  CHECK(cause(5 * ms, {.continued = 1004 * ms}) == OverrunCause::stopped);
  CHECK(cause(5 * ms, {.continued = 900 * ms}) == OverrunCause::woken_late);  // an earlier stop
  // A thread that wakes often waits a little each time: 2 ms in every 50 say nothing of half a millisecond.
  HostEvidence busy = evidence_of({});
  for (std::size_t i = 0; i < busy.samples.size(); ++i)
    busy.samples[i].run_delay = WallDuration{static_cast<std::int64_t>(i) * 2 * ms};
  OverrunLog short_one = one_late(ms / 2);
  attribute(short_one, all(busy));
  CHECK(short_one.incidents[0].cause == OverrunCause::woken_late);
  OverrunLog log = one_late(5 * ms);
  attribute(log, all(evidence_of({.delay = 5 * ms, .taker = "hog (process 7, SCHED_FIFO 90)"})));
  CHECK(log.incidents[0].evidence.find("which hog (process 7, SCHED_FIFO 90) had") != std::string::npos);
}

TEST_CASE("a CPU that was idle for longer than its thread did not wait was idle meanwhile") {
  const auto found = [](std::int64_t late, std::int64_t wait, std::int64_t idle_within) {
    HostEvidence evidence;  // nobody could look between 1 s and 2 s
    for (const std::int64_t t : {900, 950, 1000, 2000, 2050})
      evidence.samples.push_back({.time = WallTime{t * ms + 7},
                                  .steal = {},
                                  .run_delay = WallDuration{t >= 2000 ? wait : 0},
                                  .kept_from_idle = {},
                                  .idle = WallDuration{t * ms + (t >= 2000 ? idle_within - 1000 * ms : 0)},
                                  .taker = -1});
    OverrunLog log = one_late(late);
    log.incidents[0].release = WallTime{1100 * ms};
    attribute(log, all(std::move(evidence)));
    return log.incidents[0].cause;
  };
  CHECK(found(600 * ms, 600 * ms, 800 * ms) == OverrunCause::throttled);   // 400 ms at least
  CHECK(found(600 * ms, 600 * ms, 400 * ms) == OverrunCause::preempted);   // all of it may have been at other times
  CHECK(found(15 * ms, 15 * ms, 1000 * ms) == OverrunCause::preempted);    // the kernel counts in steps of 10 ms
  CHECK(found(600 * ms, 5000 * ms, 300 * ms) == OverrunCause::preempted);  // it had waited before
}

TEST_CASE("where a worker was blocked, what was seen of the one it waited for counts") {
  const HostEvidence nothing = evidence_of({}), hog = evidence_of({.delay = 5 * ms, .taker = "hog (process 7)"});
  const HostEvidence workers[] = {nothing, hog};
  OverrunLog log = one_late(5 * ms);
  OverrunIncident& incident = log.incidents[0];
  incident.cause = OverrunCause::blocked, incident.blocked = WallDuration{5 * ms}, incident.waited_for = 1;
  attribute(log, workers);
  CHECK(incident.cause == OverrunCause::preempted);
  CHECK(incident.evidence.find("for worker 1; the thread was kept waiting") != std::string::npos);
  CHECK(incident.evidence.find("hog (process 7)") != std::string::npos);
  incident.cause = OverrunCause::blocked, incident.waited_for = 0;
  attribute(log, workers);
  CHECK(incident.cause == OverrunCause::blocked);
  incident.waited_for = 0xffff;
  attribute(log, workers);
  CHECK((incident.cause == OverrunCause::blocked && incident.evidence.ends_with("for an exchange")));
}

TEST_CASE("counters that moved at another time prove nothing") {
  OverrunLog log = one_late(5 * ms);
  HostEvidence evidence;
  for (std::int64_t t = 0; t < 2000 * ms; t += 50 * ms)
    evidence.samples.push_back({.time = WallTime{t + 7},
                                .steal = WallDuration{t >= 500 * ms ? 20 * ms : 0},
                                .run_delay = {},
                                .kept_from_idle = {},
                                .idle = {},
                                .taker = -1});
  attribute(log, all(evidence));
  CHECK(log.incidents[0].cause == OverrunCause::woken_late);
  log = one_late(5 * ms);
  attribute(log, all({}));
  CHECK(log.incidents[0].cause == OverrunCause::woken_late);
}

TEST_CASE("the sampler follows the kernel's counters and survives the end of its thread") {
  HostSampler sampler(0);
  sampler.watch(2'000'000'000);  // no such thread
  sampler.stop();
  const auto list = sampler.evidence().samples;
  REQUIRE(list.size() >= 2);
  CHECK(list.back().time > list.front().time);
  CHECK(list.back().run_delay == WallDuration{});
}

TEST_CASE("who computes on a CPU is found by name") {
  cpu_set_t before, one;
  sched_getaffinity(0, sizeof before, &before);
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  const int cpu = sched_getcpu();
  sched_setaffinity(0, sizeof one, &one);
  const std::optional<ThreadState> own = thread_state(gettid());
  REQUIRE(own);
  CHECK(own->runnable);
  CHECK(own->cpu == cpu);
  CHECK(taker_of(cpu, -1).empty());  // nobody is held off
  CHECK(thread_state(gettid())->on_cpu >= own->on_cpu);
  CHECK_FALSE(thread_state(2'000'000'000));
  CHECK(cpu_times(cpu).idle <= cpu_times(-1).idle);
  sched_setaffinity(0, sizeof before, &before);
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

TEST_CASE("only who goes before a thread, or takes turns with it, can hold it off") {
  const Scheduling other{.policy = SCHED_OTHER}, batch{.policy = SCHED_BATCH}, idle{.policy = SCHED_IDLE},
      fifo_80{.policy = SCHED_FIFO, .priority = 80}, fifo_90{.policy = SCHED_FIFO, .priority = 90},
      round_80{.policy = SCHED_RR, .priority = 80}, fifo_1{.policy = SCHED_FIFO, .priority = 1}, deadline{.policy = 6};
  for (const Scheduling& innocent : {other, batch, idle, fifo_1}) CHECK_FALSE(can_hold_off(innocent, fifo_80));
  for (const Scheduling& taker : {fifo_80, round_80, fifo_90, deadline}) CHECK(can_hold_off(taker, fifo_80));
  CHECK_FALSE(can_hold_off(fifo_80, fifo_90));
  CHECK_FALSE(can_hold_off(fifo_90, deadline));
  for (const Scheduling& taker : {other, batch, fifo_1, deadline}) CHECK(can_hold_off(taker, other));
  CHECK_FALSE(can_hold_off(idle, other));
}

TEST_CASE("a thread that only waits for the CPU, as the late one does, is not named as who had it") {
  // Both on the CPU of this thread, which is the one held off: an idle one is no taker of it, an ordinary one is.
  const int cpu = sched_getcpu();
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(cpu), &set);
  std::atomic<bool> stop{false};
  std::atomic<int> ready{0};
  const auto spin = [&](int policy) {
    const sched_param none{};
    REQUIRE(sched_setscheduler(0, policy, &none) == 0);
    REQUIRE(sched_setaffinity(0, sizeof set, &set) == 0);
    prctl(PR_SET_NAME, policy == SCHED_IDLE ? "takt-innocent" : "takt-taker");
    ++ready;
    while (!stop) {
    }
  };
  const auto seen = [&](const std::string& name) {
    for (int turn = 0; turn < 50; ++turn)  // others may be runnable there, too
      if (taker_of(cpu, gettid()).find(name) != std::string::npos) return true;
    return false;
  };
  std::thread innocent(spin, SCHED_IDLE);
  while (ready < 1) std::this_thread::yield();
  CHECK_FALSE(seen("takt-innocent"));
  std::thread taker(spin, SCHED_OTHER);
  while (ready < 2) std::this_thread::yield();
  const std::string name = taker_of(cpu, gettid());
  CHECK(name.find("takt-innocent") == std::string::npos);
  CHECK_FALSE(name.empty());
  stop = true;
  innocent.join(), taker.join();
}
