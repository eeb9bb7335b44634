// Several hosts compute what one computes, bit for bit, whenever messages come; and end by name where one does not.

#include <catch2/catch.hpp>
#include <random>

#include "runtime/hosts/host_link.hpp"
#include "tests/runtime/hosts/host_cases.hpp"
#include "tests/runtime/hosts/pipes.hpp"
#include "tests/runtime/support/same_results.hpp"

namespace {

using takt::Executive;
using takt::RunResults;
using takt::hosts::HostLink;
using takt::hosts::HostPlan;
using takt::test::any_placement;
using takt::test::check_same;
using takt::test::Pipes;
using takt::test::RandomNetwork;
using takt::test::run_on_one;
using Case = takt::test::HostCase;

/// Each host on threads of its own, with a plant of its own.
RunResults run_on_hosts(const Case& of, Pipes& pipes, std::vector<std::string>* problems = nullptr) {
  RunResults results;
  std::vector<std::string> said(of.hosts);
  const auto work = [&](std::size_t own) {
    RandomNetwork network(of.shape);
    of.prepare(network);
    takt::SystemClock clock;
    const HostPlan plan = of.plan(own);
    Executive executive(network.description(),
                        {.macro_steps = of.macro_steps,
                         .placement = of.placement,
                         .cpus = std::vector<int>(of.hosts, -1),
                         .elsewhere = plan.elsewhere()},
                        {.clock = clock, .script = own == 0 ? of.script : takt::InputScript{}});
    (void)executive.prepare();
    HostLink link({.executive = executive, .plan = plan, .identities = of.identities()}, pipes.ends[own],
                  {.silence_ns = of.silence_ns});
    if (own > 0) executive.begin_without_lead();
    link.start();
    if (own == 0)
      executive.run();
    else
      executive.help(own);
    said[own] = link.finish();
    if (own == 0) executive.report(results);
  };
  std::vector<std::thread> threads;
  for (std::size_t host = 0; host < of.hosts; ++host) threads.emplace_back(work, host);
  for (std::thread& thread : threads) thread.join();
  if (problems != nullptr) *problems = said;
  return results;
}

}  // namespace

TEST_CASE("any plan on any number of hosts gives the bits of one, whenever messages come") {
  std::mt19937 random(20261126);
  for (std::uint32_t seed = 1; seed <= 12; ++seed) {
    Case of{.shape = {.seed = seed,
                      .subsystems = 4 + seed % 13,
                      .groups = 1 + seed % 6,
                      .exchanges = 10 + 3 * (seed % 25),
                      .share_decoupled = seed % 3 == 0 ? 0.0 : 0.3}};
    const RunResults one = run_on_one(of);
    for (std::uint16_t hosts = 2; hosts <= 3; ++hosts) {
      INFO("seed " << seed << ", hosts " << hosts);
      of.hosts = hosts, of.placement = any_placement(random, of.shape.subsystems, hosts);
      Pipes pipes(hosts, seed, seed % 2 == 0 ? 300 : 0);
      check_same(one, run_on_hosts(of, pipes));
    }
  }
}

TEST_CASE("inputs that change at any release are the same on all hosts") {
  std::mt19937 random(4);
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    INFO("seed " << seed);
    Case of{.shape = {.seed = seed, .subsystems = 9, .groups = 5, .exchanges = 40}};
    std::vector<takt::ScriptedInput> changes;
    RandomNetwork network(of.shape);
    const takt::Schedule schedule(network.description());
    for (int i = 0; i < 20; ++i)
      changes.push_back({.time = schedule.next_taking(takt::SimTime{static_cast<std::int64_t>(random() % 60'000'000)}),
                         .value = static_cast<double>(random() % 1000) * 1e-3});
    std::sort(changes.begin(), changes.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
    of.script = takt::InputScript(std::move(changes), 1);
    of.placement = any_placement(random, 9, 2);
    Pipes pipes(2, seed);
    check_same(run_on_one(of), run_on_hosts(of, pipes));
  }
}

TEST_CASE("what is no number on another host ends the run as on one") {
  for (std::uint16_t poisoned = 0; poisoned < 6; ++poisoned) {
    Case of{.shape = {.seed = 9, .subsystems = 6, .groups = 3, .exchanges = 30},
            .placement = {0, 1, 0, 1, 1, 0},
            .poison = {{poisoned, 0.02}}};
    const RunResults one = run_on_one(of);
    Pipes pipes(2, 1);
    const RunResults two = run_on_hosts(of, pipes);
    CHECK(one.failed);
    CHECK(two.failed);
    CHECK(two.stopped_because == one.stopped_because);
    CHECK(two.macro_steps == one.macro_steps);
  }
}

TEST_CASE("a host that nothing is heard of ends the run on all, by name") {
  Case of{.shape = {.seed = 3, .subsystems = 6, .groups = 2, .exchanges = 20},
          .placement = {0, 1, 0, 1, 1, 0},
          .macro_steps = 1'000'000'000,
          .silence_ns = 500'000'000};
  Pipes pipes(2, 1);
  std::thread cutter([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    pipes.cut();
  });
  std::vector<std::string> problems;
  const RunResults results = run_on_hosts(of, pipes, &problems);
  cutter.join();
  CHECK(results.failed);
  CHECK(results.stopped_because.find("host h1 has been silent for 500 ms") != std::string::npos);
  CHECK(problems[0] == "host h1 has been silent for 500 ms");
  CHECK(problems[1] == "host h0 has been silent for 500 ms");
}

TEST_CASE("messages that are none, or have changed on their way, end the run by name") {
  std::mt19937 random(11);
  const Case sound{.shape = {.seed = 5, .subsystems = 6, .groups = 3, .exchanges = 25},
                   .placement = {0, 1, 0, 1, 1, 0},
                   .macro_steps = 30};
  Pipes first(2, 1);
  const RunResults right = run_on_hosts(sound, first);
  const std::vector<std::vector<std::byte>> messages = first.seen;
  REQUIRE(messages.size() > 5);
  for (int turn = 0; turn < 200; ++turn) {
    INFO(turn);
    std::vector<std::byte> message = messages[random() % messages.size()];
    if (random() % 3 == 0)
      message.resize(random() % message.size());
    else
      message[random() % message.size()] ^= static_cast<std::byte>(1 + random() % 255);
    Pipes pipes(2, 1);
    pipes.put(random() % 2, message);
    std::vector<std::string> problems;
    const RunResults results = run_on_hosts(sound, pipes, &problems);
    CHECK(results.failed);
    CHECK(results.stopped_because.find("message of another host") != std::string::npos);
    CHECK(results.macro_steps <= 30);
  }
}

TEST_CASE("what fits no plant is refused, whoever has written it") {
  const Case sound{.shape = {.seed = 5, .subsystems = 6, .groups = 3, .exchanges = 25},
                   .placement = {0, 1, 0, 1, 1, 0},
                   .macro_steps = 30};
  std::mt19937 random(12);
  for (int turn = 0; turn < 80; ++turn) {
    INFO(turn);
    std::vector<std::byte> message;
    takt::ByteWriter to = takt::hosts::begin_message(
        message,
        {.kind = turn % 4 == 0 ? takt::hosts::Kind::part : takt::hosts::Kind::news, .host = 1, .identity = 101});
    const std::size_t size = random() % 200;
    for (std::size_t k = 0; k < size; ++k) to.put(static_cast<std::uint8_t>(random() % 4 == 0 ? random() : 0));
    takt::hosts::seal(message);
    Case of = sound;
    of.silence_ns = 300'000'000;
    Pipes pipes(2, 1);
    pipes.cut();  // nothing but this comes, to the leader
    pipes.put(0, message);
    const RunResults results = run_on_hosts(of, pipes);
    CHECK(results.failed);
  }
}
