// What is undone where the connection of who has done it is lost.

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/runtime/tap/desk_bench.hpp"
#include "tests/runtime/tap/port_bench.hpp"

using namespace takt;
using Json = nlohmann::json;
using test::ms;
using Result = TapAnswer::Result;
using Verb = Action::Verb;

namespace {

constexpr std::uint32_t first_t = 1, heater_row = 2;  // rows of the table

struct Bench : test::PortBench {
  using PortBench::PortBench;

  void act(Action action, std::uint32_t owner) {
    send({.kind = TapCommand::Kind::act, .author = 5, .owner = owner, .action = action});
  }
  void tell(TapCommand::Kind kind, std::uint32_t owner) { send({.kind = kind, .owner = owner}); }
  [[nodiscard]] std::vector<Verb> done() const {
    std::vector<Verb> verbs;
    for (const auto& taken : sink.taken) verbs.push_back(taken.action.verb);
    return verbs;
  }
};

Action override_of(std::uint32_t row) { return {.verb = Verb::override, .target = row, .value = 4.0}; }

}  // namespace

TEST_CASE("what a connection has done is undone at the boundary at which it is lost, in its name") {
  Bench bench;
  bench.act({.verb = Verb::set, .target = 0, .value = 3.0}, 7);
  bench.act(override_of(first_t), 7);
  bench.act({.verb = Verb::inject, .target = first_t}, 7);
  bench.act(override_of(4), 8);
  bench.act({.verb = Verb::inject, .target = 4}, 0);
  bench.boundaries(2);
  CHECK(bench.sink.taken.size() == 5);
  bench.tell(TapCommand::Kind::lost, 7);
  bench.boundaries(3);
  REQUIRE(bench.done() == std::vector{Verb::set, Verb::override, Verb::inject, Verb::override, Verb::inject,
                                      Verb::release, Verb::release, Verb::clear});
  CHECK(bench.sink.taken[5].action.target == heater_row);
  CHECK(bench.sink.taken[6].action.target == first_t);
  CHECK(bench.sink.taken[5].time.ns() == 2 * ms);
  CHECK(bench.sink.taken[7].author == 5);
  CHECK(bench.sink.stopped.empty());
}

TEST_CASE("what somebody has done or ended since is not undone") {
  Bench bench;
  bench.act(override_of(first_t), 7);
  bench.act(override_of(4), 7);
  bench.boundary();
  SECTION("another one, with a lease") { bench.act(override_of(first_t), 8); }
  SECTION("another one, without") { bench.act(override_of(first_t), 0); }
  SECTION("ended") { bench.act({.verb = Verb::release, .target = first_t}, 0); }
  bench.tell(TapCommand::Kind::lost, 7);
  bench.boundaries(2);
  REQUIRE(bench.sink.taken.size() == 4);
  CHECK(bench.sink.taken[3].action.verb == Verb::release);
  CHECK(bench.sink.taken[3].action.target == 4);
}

TEST_CASE("what is detached stays") {
  Bench bench;
  bench.act(override_of(first_t), 7);
  bench.tell(TapCommand::Kind::lease, 7);
  bench.act(override_of(4), 8);
  bench.tell(TapCommand::Kind::detach, 7);
  bench.tell(TapCommand::Kind::lost, 7);
  bench.boundaries(3);
  CHECK(bench.sink.taken.size() == 2);
  CHECK(bench.sink.stopped.empty());
  REQUIRE(bench.answers.size() == 5);
  CHECK(bench.answers[3].count == 2);
}

TEST_CASE("a run that is bound to a connection stops with it") {
  Bench bench;
  bench.tell(TapCommand::Kind::lease, 7);
  bench.tell(TapCommand::Kind::lease, 8);
  bench.tell(TapCommand::Kind::lost, 9);
  bench.boundary();
  CHECK(bench.sink.stopped.empty());
  bench.tell(TapCommand::Kind::lost, 8);
  bench.boundary();
  CHECK(bench.sink.stopped == "the connection that this run was bound to is lost");
}

TEST_CASE("a held run that is bound to a connection stops with it") {
  Bench bench({.paced = false, .holds_at_start = true});
  int rounds = 0;
  bench.clock.on_sleep = [&] {
    (*bench.memory).services.keeper_beats.fetch_add(1);
    ++rounds;
    if (rounds == 2) bench.tell(TapCommand::Kind::lease, 7), bench.act(override_of(first_t), 7);
    if (rounds == 4) bench.tell(TapCommand::Kind::lost, 7);
  };
  bench.boundary();
  CHECK(rounds == 4);
  CHECK(!bench.sink.stopped.empty());
  CHECK(bench.done() == std::vector{Verb::override, Verb::release});
}

TEST_CASE(
    "what finds no room among leases is not done; many are undone some at a boundary, and again where there is no "
    "room") {
  Bench bench;
  const std::vector<MemoryEntry> table(70, bench.plant.table[first_t]);
  bench.plant.table = table;
  for (std::uint32_t row = 0; row < table.size(); ++row) bench.act(override_of(row), 7);
  bench.boundaries(6);
  const test::TestSink& sink = bench.sink;
  CHECK(sink.taken.size() == TapSegment::most_leases);
  CHECK(std::count_if(bench.answers.begin(), bench.answers.end(),
                      [](const TapAnswer& answer) { return answer.result == Result::full; }) == 6);
  bench.tell(TapCommand::Kind::lost, 7);
  bench.sink.room = 3;
  bench.boundary();
  CHECK(sink.taken.size() == 64 + 3);
  bench.sink.room = 100;
  bench.boundary();
  CHECK(sink.taken.size() == 64 + 3 + 16);
  CHECK(bench.port.may_act_at(sink.now));
  bench.boundaries(5);
  CHECK(sink.taken.size() == 64 + 64);
}

TEST_CASE("with a service all its connections are lost") {
  Bench bench;
  bench.act(override_of(first_t), 7);
  bench.tell(TapCommand::Kind::lease, 8);
  bench.boundary();
  SECTION("another one begins") {
    (*bench.memory).services.generation.fetch_add(1);
    ServiceEnd second(*bench.memory);
    bench.port.direct(bench.sink.now, bench.sink);
  }
  SECTION("none begins") {
    for (int second = 0; second < 5; ++second) {
      bench.clock.time += WallDuration{1'000'000'000};
      bench.boundary();
      CHECK(bench.sink.stopped.empty());
    }
    bench.clock.time += WallDuration{1'000'000'000};
    bench.boundaries(2);
  }
  CHECK(bench.done() == std::vector{Verb::override, Verb::release});
  CHECK(!bench.sink.stopped.empty());
}

TEST_CASE("a service that lives loses nobody") {
  Bench bench;
  bench.act(override_of(first_t), 7);
  for (int second = 0; second < 20; ++second) {
    bench.clock.time += WallDuration{1'000'000'000};
    if (second % 4 == 0) (*bench.memory).services.server_beats.fetch_add(1);
    bench.boundary();
  }
  CHECK(bench.sink.taken.size() == 1);
}

TEST_CASE("a run is bound to so many connections and no more") {
  test::DeskBench bench;
  std::size_t runs = 0;
  std::vector<std::shared_ptr<Session>> others;
  for (; runs < TapSegment::most_run_leases; ++runs) {
    others.push_back(bench.session);
    CHECK(bench.ask(R"({"verb":"lease"})")["ok"] == true);
    CHECK(bench.ask(R"({"verb":"lease"})")["ok"] == true);  // the same
    bench.renew();
  }
  CHECK_THAT(bench.ask(R"({"verb":"lease"})")["error"].get<std::string>(), Catch::Contains("no room"));
}

TEST_CASE("what a client has bound ends with its connection, and what it has detached does not") {
  test::DeskBench bench;
  CHECK(bench.ask(R"({"verb":"hello","name":"ana"})")["ok"] == true);
  CHECK(bench.ask(R"({"verb":"set","path":"heater","value":3,"lease":true})")["ok"] == true);
  CHECK(bench.ask(R"({"verb":"detach"})")["kept"] == 1);
  CHECK(bench.ask(R"({"verb":"override","path":"second.t","value":300,"lease":true})")["ok"] == true);
  CHECK(
      bench.ask(
          R"({"verb":"await","condition":"time >= 0 s","within":"1 s","lease":true,"then":[{"verb":"set","path":"heater","value":5}]})")
          ["ok"] == true);
  bench.boundary();
  (void)bench.lines();
  REQUIRE(bench.sink.taken.size() == 3);
  bench.renew();
  bench.boundary();
  bench.boundary();
  REQUIRE(bench.sink.taken.size() == 5);
  CHECK(bench.sink.taken[3].action.verb == Verb::release);
  CHECK(bench.sink.taken[3].action.target == 4);
  CHECK(bench.sink.taken[4].action.verb == Verb::release);
  CHECK(bench.sink.taken[4].action.target == heater_row);
  CHECK(author_of(*bench.memory, bench.sink.taken[4].author) == "ana");
  CHECK_THAT(bench.ask(R"({"verb":"events"})")["events"].dump(), Catch::Contains("the connection is lost"));
}

TEST_CASE("what cannot be undone is not bound") {
  test::DeskBench bench;
  for (const char* request :
       {R"({"verb":"tune","path":"k","value":2,"lease":true})", R"({"verb":"release","path":"heater","lease":true})",
        R"({"verb":"checkpoint","lease":true})",
        R"({"actions":[{"verb":"set","path":"heater","value":1},{"verb":"clear","path":"first.t"}],"lease":true})",
        R"({"verb":"set","path":"heater","value":1,"lease":"yes"})"}) {
    INFO(request);
    CHECK(bench.ask(request)["ok"] == false);
  }
  CHECK(bench.sink.taken.empty());
}
