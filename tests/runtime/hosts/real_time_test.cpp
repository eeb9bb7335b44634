// Several hosts in real time: with all in time the bits of one; with what is late counted, and every account closed;
// with a host that is lost what was promised.

#include <catch2/catch.hpp>
#include <random>

#include "runtime/executive/distorted_clock.hpp"
#include "runtime/hosts/real_time_link.hpp"
#include "tests/runtime/hosts/host_cases.hpp"
#include "tests/runtime/hosts/pipes.hpp"
#include "tests/runtime/support/same_results.hpp"

namespace {

using takt::DistortedClock;
using takt::Executive;
using takt::RunResults;
using takt::WhenLost;
using takt::hosts::HostPlan;
using takt::hosts::RealTimeLink;
using takt::test::any_placement;
using takt::test::HostCase;
using takt::test::Pipes;
using takt::test::RandomNetwork;
using takt::test::run_on_one;

struct Case : HostCase {
  std::vector<DistortedClock::Settings> clocks{};
  std::pair<std::size_t, double> stall{0, -1.0};  // subsystem, when (s): takes 1.5 s there
  WhenLost when_lost = WhenLost::stop;
  bool accepts_late = true;
};

struct Outcome {
  RunResults results;
  std::vector<std::string> problems;
  std::vector<std::uint64_t> steps;
  std::vector<takt::HostResult> hosts;
};

/// Each host on threads of its own, with a plant and a clock of its own.
Outcome run_on_hosts(const Case& of, Pipes& pipes) {
  Outcome outcome;
  outcome.problems.resize(of.hosts), outcome.steps.resize(of.hosts);
  const auto work = [&](std::size_t own) {
    RandomNetwork network(of.shape);
    if (of.stall.second >= 0.0) network.stall(of.stall.first, of.stall.second, 1500);
    of.prepare(network);
    DistortedClock clock(of.clocks.empty() ? DistortedClock::Settings{} : of.clocks[own]);
    const HostPlan plan = of.plan(own);
    Executive executive(network.description(),
                        {.paced = true,
                         .macro_steps = of.macro_steps,
                         .placement = of.placement,
                         .cpus = std::vector<int>(of.hosts, -1),
                         .elsewhere = plan.elsewhere(),
                         .apart = true},
                        {.clock = clock, .script = of.script});
    (void)executive.prepare();
    RealTimeLink link({.executive = executive, .plan = plan, .identities = of.identities()}, pipes.ends[own],
                      {.silence_ns = of.silence_ns,
                       .wait_ns = 10'000'000'000,
                       .when_lost = std::vector<WhenLost>(of.hosts, of.when_lost),
                       .accepts_late = of.accepts_late,
                       .said = {}});
    link.start();
    try {
      link.begin();
    } catch (const std::exception& error) {
      outcome.problems[own] = error.what();
      return;
    }
    executive.run();
    outcome.problems[own] = link.finish(executive.why_ended_early());
    RunResults results;
    executive.report(results);
    outcome.steps[own] = results.macro_steps;
    if (own == 0) outcome.results = std::move(results), outcome.hosts = link.results();
  };
  std::vector<std::thread> threads;
  for (std::size_t host = 0; host < of.hosts; ++host) threads.emplace_back(work, host);
  for (std::thread& thread : threads) thread.join();
  return outcome;
}

Case slow_case(std::uint32_t seed, std::mt19937& random, std::uint16_t hosts) {
  Case of;
  of.shape = {.seed = seed,
              .subsystems = 5 + seed % 7,
              .groups = 1 + seed % 4,
              .exchanges = 12 + 3 * (seed % 9),
              .share_decoupled = 1.0,
              .macro_step_ns = 120'000'000};
  of.hosts = hosts, of.macro_steps = 20, of.silence_ns = 3'000'000'000;
  of.placement = any_placement(random, of.shape.subsystems, hosts);
  return of;
}

std::uint64_t late_in(const Outcome& outcome) {
  std::uint64_t late = 0;
  for (const takt::HostResult& host : outcome.hosts) late += host.late_windows;
  return late;
}

}  // namespace

TEST_CASE("any plan without waiting gives the bits of one host where all comes in time, and says where not") {
  std::mt19937 random(20261126);
  int in_time = 0;
  for (std::uint32_t seed = 1; seed <= 6; ++seed) {
    INFO("seed " << seed);
    Case of = slow_case(seed, random, seed % 2 == 0 ? 3 : 2);
    if (seed > 2) of.clocks.resize(of.hosts, {.ppm = seed % 2 == 0 ? 100.0 : -300.0});
    of.script = takt::InputScript({{.time = takt::SimTime{240'000'000}, .input = 0, .value = 0.7}}, 1);
    Pipes pipes(of.hosts, seed);
    const RunResults one = run_on_one(of);
    const Outcome several = run_on_hosts(of, pipes);
    for (const std::string& problem : several.problems) CHECK(problem.empty());
    for (const std::uint64_t steps : several.steps) CHECK(steps == of.macro_steps);
    CHECK(several.results.digest_void == (late_in(several) > 0));
    for (const takt::CouplingResult& coupling : several.results.couplings) CHECK(coupling.closes);
    if (several.results.digest_void) continue;  // a busy machine
    ++in_time;
    CHECK(one.digest == several.results.digest);
    CHECK(one.macro_steps == several.results.macro_steps);
    for (std::size_t i = 0; i < one.couplings.size(); ++i) {  // added up in another order
      const takt::CouplingResult &a = one.couplings[i], &b = several.results.couplings[i];
      CHECK(std::abs(a.sent - b.sent) <= 1e-14 * a.throughput);
      CHECK(a.received == b.received);
      CHECK(std::abs(a.in_transit - b.in_transit) <= 1e-14 * a.throughput);
    }
  }
  WARN(in_time << " of 6 runs had everything in time");
}

TEST_CASE("what comes late is counted, and the accounts close") {
  std::mt19937 random(5);
  for (std::uint32_t seed = 11; seed <= 14; ++seed) {
    const int only_to = static_cast<int>(seed % 3) - 1;
    INFO("seed " << seed << ", late to " << only_to);
    const Case of = slow_case(seed, random, 2);
    Pipes pipes(of.hosts, seed, 400'000);  // up to 400 ms late, macro-steps of 120 ms
    pipes.only_to = only_to;
    const Outcome several = run_on_hosts(of, pipes);
    for (const std::string& problem : several.problems) CHECK(problem.empty());
    CHECK(late_in(several) > 0);
    if (only_to >= 0) CHECK(several.hosts[static_cast<std::size_t>(only_to)].late_windows > 0);
    CHECK(several.results.digest_void);
    for (const takt::CouplingResult& coupling : several.results.couplings) CHECK(coupling.closes);
  }
}

TEST_CASE("what is late on any one host makes the digest of all void") {
  bool has_seen[2] = {false, false};
  for (std::uint32_t seed = 1; !has_seen[0] || !has_seen[1]; ++seed) {
    Case of;
    of.shape = {.seed = seed,
                .subsystems = 2,
                .groups = 1,
                .exchanges = 1,
                .share_decoupled = 1.0,
                .macro_step_ns = 120'000'000};
    of.placement = {0, 1}, of.macro_steps = 12;
    RandomNetwork network(of.shape);
    const auto exchanges = network.description().exchanges;
    if (exchanges.empty() || has_seen[exchanges[0].consumer]) continue;
    has_seen[exchanges[0].consumer] = true;
    INFO("to " << exchanges[0].consumer);
    Pipes pipes(2, seed, 400'000);
    const Outcome several = run_on_hosts(of, pipes);
    CHECK(several.hosts[exchanges[0].consumer].late_windows > 0);
    CHECK(several.hosts[1 - exchanges[0].consumer].windows == 0);
    CHECK(several.results.digest_void);
  }
}

TEST_CASE("couplings that the network is too slow for are refused before the run, by name and number") {
  std::mt19937 random(6);
  Case of = slow_case(2, random, 2);
  of.accepts_late = false;
  Pipes pipes(2, 1, 2'000'000);
  const Outcome several = run_on_hosts(of, pipes);
  const std::string all = several.problems[0] + several.problems[1];
  CHECK(all.find("half of the usual round trip") != std::string::npos);
  CHECK(several.steps[0] == 0);
}

TEST_CASE("a host that is lost ends the others, or they go on without it, as the rig says") {
  std::mt19937 random(8);
  for (const WhenLost when : {WhenLost::stop, WhenLost::hold, WhenLost::isolate}) {
    INFO(static_cast<int>(when));
    Case of = slow_case(3, random, 2);
    of.when_lost = when, of.silence_ns = 500'000'000;
    Pipes pipes(2, 1);
    std::thread cutter([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(1500));
      pipes.cut();
    });
    const Outcome several = run_on_hosts(of, pipes);
    cutter.join();
    CHECK(several.problems[0].find("host h1 has been silent for 500 ms") != std::string::npos);
    CHECK(several.problems[1].find("host h0 has been silent for 500 ms") != std::string::npos);
    CHECK(several.results.digest_void);
    CHECK(several.hosts[1].lost == "host h1 has been silent for 500 ms");
    CHECK((several.steps[0] == of.macro_steps) == (when != WhenLost::stop));
    CHECK(several.steps[1] < of.macro_steps);  // without the leader nobody goes on
  }
}

TEST_CASE("what is no number on one host ends the run on all, by name") {
  std::mt19937 random(9);
  for (std::size_t poisoned = 0; poisoned < 5; ++poisoned) {
    Case of = slow_case(4, random, 2);
    of.poison = {{poisoned, 0.5}};
    Pipes pipes(2, 1);
    const Outcome several = run_on_hosts(of, pipes);
    INFO("poisoned " << poisoned << ": " << several.problems[0] << " / " << several.problems[1]);
    CHECK_FALSE(several.problems[0].empty());
    CHECK_FALSE(several.problems[1].empty());
    CHECK(several.results.failed);
  }
}

TEST_CASE("a host that ends for something of its own does not end those that are to go on without it") {
  std::mt19937 random(10);
  for (const bool stalls : {false, true}) {
    INFO(stalls);
    Case of = slow_case(4, random, 2);
    of.when_lost = WhenLost::hold;
    const auto theirs = std::find(of.placement.begin(), of.placement.end(), 1) - of.placement.begin();
    if (stalls)
      of.stall = {static_cast<std::size_t>(theirs), 0.6}, of.silence_ns = 600'000'000;
    else
      of.poison = {{static_cast<std::size_t>(theirs), 0.6}};
    Pipes pipes(2, 1);
    const Outcome several = run_on_hosts(of, pipes);
    INFO(several.problems[0] << " / " << several.problems[1]);
    CHECK(several.steps[0] == of.macro_steps);
    CHECK(several.steps[1] < of.macro_steps);
    CHECK_FALSE(several.hosts[1].lost.empty());
    CHECK(several.problems[0].find(stalls ? "it cannot keep up" : "it sends what is no finite number") !=
          std::string::npos);
    CHECK(several.results.digest_void);
  }
}

TEST_CASE("nonsense from another host ends the run by name") {
  std::mt19937 random(12);
  for (int turn = 0; turn < 30; ++turn) {
    INFO(turn);
    Case of = slow_case(5, random, 2);
    of.silence_ns = 300'000'000;
    std::vector<std::byte> message;
    takt::ByteWriter to = takt::hosts::begin_message(
        message,
        {.kind = turn % 4 == 0 ? takt::hosts::Kind::part : takt::hosts::Kind::flow, .host = 1, .identity = 101});
    const std::size_t size = random() % 200;
    for (std::size_t k = 0; k < size; ++k) to.put(static_cast<std::uint8_t>(random() % 4 == 0 ? random() : 0));
    takt::hosts::seal(message);
    Pipes pipes(2, 1);
    pipes.cut();  // nothing but this comes, to the leader
    pipes.put(0, message);
    const Outcome several = run_on_hosts(of, pipes);
    CHECK_FALSE(several.problems[0].empty());
    CHECK(several.steps[0] == 0);
  }
}
