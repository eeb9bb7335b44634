// Conditions that the plant judges for its clients.

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runtime/scenario/parse_expression.hpp"
#include "tests/runtime/tap/desk_bench.hpp"
#include "tests/runtime/tap/port_bench.hpp"

using namespace takt;
using Json = nlohmann::json;
using test::ms;
using test::set_heater;
using Result = TapAnswer::Result;

namespace {

struct Bench : test::PortBench {
  using PortBench::PortBench;

  std::uint64_t await(const std::string& condition, std::int64_t within_ns, std::vector<TapCommand> then = {}) {
    const Expression expression = parse_condition(condition, {.file = "condition", .at = {1, 1}}, names);
    return service.await({.nodes = expression.nodes,
                          .observes = expression.observes,
                          .text = condition,
                          .within_ns = within_ns,
                          .then = then},
                         0, [this](const TapAnswer& a, const StagedAwait& staged) {
                           answers.push_back(a);
                           held = staged.held;
                         });
  }
  /// As a service gone mad stages it.
  Result staged(std::vector<ExpressionNode> nodes, std::uint32_t count, std::uint8_t slot = 3) {
    std::copy(nodes.begin(), nodes.end(), (*memory).awaits[3].nodes.begin());
    (*memory).awaits[3].count = count;
    answers.clear();
    send({.period_ns = ms, .kind = TapCommand::Kind::await, .slot = slot, .count = 1});
    boundary();
    return answers.at(0).result;
  }

  ScenarioNames names{plant};
  std::array<double, StagedAwait::most_nodes> held{};
};

std::vector<Result> results(const Bench& bench) {
  std::vector<Result> found;
  for (const TapAnswer& answer : bench.answers) found.push_back(answer.result);
  return found;
}

}  // namespace

TEST_CASE("what is awaited is judged at every boundary, and acted upon at the first at which it holds") {
  Bench bench;
  bench.boundaries(2);
  bench.await("heater > 3 W and time >= 0.002 s", 100 * ms, {set_heater(9.0), set_heater(10.0)});
  bench.boundaries(4);
  REQUIRE(results(bench) == std::vector{Result::begun});
  CHECK(bench.answers[0].time_ns == 3 * ms);
  CHECK(bench.answers[0].period_ns == 102 * ms);
  CHECK(bench.sink.taken.empty());
  bench.bodies.memory.heater = 3.5;
  bench.boundary();
  bench.bodies.memory.heater = 0.0;
  bench.boundaries(3);
  REQUIRE(results(bench) == std::vector{Result::begun, Result::done});
  CHECK(bench.answers[1].period_ns == 6 * ms);
  CHECK(bench.answers[1].count == 2);
  CHECK(bench.held[0] == 3.5);  // as it was there, whatever comes later
  REQUIRE(bench.sink.taken.size() == 2);
  CHECK(bench.sink.taken[0].time.ns() == 6 * ms);
  CHECK(bench.sink.taken[1].action.value == 10.0);
}

TEST_CASE("what does not hold in time is answered so, and nothing is done") {
  Bench bench;
  bench.bodies.memory.heater = 0.0;
  bench.await("heater > 3 W", 2 * ms + 1, {set_heater(9.0)});  // to the third boundary
  std::vector<TapEvent> events;
  bench.boundaries(3);
  REQUIRE(results(bench) == std::vector{Result::begun});
  SECTION("not at the last one either") { bench.boundary(); }
  SECTION("after it") {
    bench.sink.now += SimDuration{ms};  // time has jumped
    bench.bodies.memory.heater = 4.0;
    bench.boundary();
  }
  REQUIRE(results(bench) == std::vector{Result::begun, Result::not_held});
  CHECK(bench.sink.taken.empty());
  CHECK_FALSE(bench.port.looks_at(bench.sink.now));
}

TEST_CASE("what is judged for the last time where it ends may hold there") {
  Bench bench;
  bench.await("heater > 3 W", 2 * ms, {set_heater(9.0)});
  bench.boundaries(2);
  bench.bodies.memory.heater = 4.0;
  bench.boundary();
  CHECK(results(bench) == std::vector{Result::begun, Result::done});
  CHECK(bench.sink.taken.size() == 1);
}

TEST_CASE("values that are not finite hold nothing") {
  Bench bench;
  bench.bodies.memory.heater = std::numeric_limits<double>::quiet_NaN();
  bench.await("heater > 3 W or heater != 3 W", 3 * ms);
  bench.boundaries(5);
  CHECK(results(bench) == std::vector{Result::begun, Result::not_held});
}

TEST_CASE("a free run is held at the boundary at which a condition holds, and everything is up to date there") {
  Bench bench({.paced = false});
  bench.bodies.memory.heater = 1.0;
  bench.await("heater > 3 W", 100 * ms, {{.kind = TapCommand::Kind::pause}});
  bench.boundaries(3);
  CHECK(bench.port.looks_at(bench.sink.now));
  bench.bodies.memory.heater = 4.0;
  int rounds = 0;
  bench.clock.on_sleep = [&] {
    (*bench.memory).services.keeper_beats.fetch_add(1);
    if (++rounds == 1) bench.await("heater > 3 W", ms, {set_heater(5.0)});  // judged at once
    if (rounds == 3) bench.send({.kind = TapCommand::Kind::resume});
  };
  bench.boundary();
  CHECK(rounds == 3);
  REQUIRE(bench.sink.taken.size() == 1);
  CHECK(bench.sink.taken[0].time.ns() == 3 * ms);
  CHECK(results(bench) == std::vector{Result::begun, Result::done, Result::begun, Result::done, Result::done});
}

TEST_CASE("a step that is under way ends where a condition holds") {
  Bench bench({.paced = false});
  bench.bodies.memory.heater = 1.0;
  bench.send({.period_ns = 50, .kind = TapCommand::Kind::step});
  bench.await("heater > 3 W", 100 * ms, {{.kind = TapCommand::Kind::pause}, {.kind = TapCommand::Kind::stop}});
  bench.boundaries(3);
  bench.bodies.memory.heater = 4.0;
  bench.boundary();
  CHECK(bench.sink.stopped == "stopped by a client of the tap");
  CHECK(results(bench) == std::vector{Result::begun, Result::replaced, Result::done});
}

TEST_CASE("where the plant has no room for what is to be done, the answer says how far it has come") {
  Bench bench;
  bench.bodies.memory.heater = 4.0;
  bench.sink.room = 1;
  bench.await("heater > 3 W", 100 * ms, {set_heater(5.0), set_heater(6.0)});
  bench.boundaries(3);
  REQUIRE(results(bench) == std::vector{Result::begun, Result::partly});
  CHECK(bench.answers[1].count == 1);
}

TEST_CASE("conditions that no service in its senses stages are refused, and nothing is looked at") {
  using Kind = ExpressionNode::Kind;
  Bench bench;
  const ExpressionNode one{.kind = Kind::number, .number = 1.0};
  const auto of = [](Kind kind, std::uint32_t a, std::uint32_t b) {
    return ExpressionNode{.kind = kind, .a = a, .b = b};
  };
  CHECK(bench.staged({one}, 0) == Result::wrong);
  CHECK(bench.staged({one}, StagedAwait::most_nodes + 1) == Result::wrong);
  CHECK(bench.staged({one}, 4'000'000'000) == Result::wrong);
  CHECK(bench.staged({one}, 1, 200) == Result::wrong);
  CHECK(bench.staged({{.kind = static_cast<Kind>(99)}}, 1) == Result::wrong);
  CHECK(bench.staged({of(Kind::negate, 0, 0)}, 1) == Result::wrong);     // its own operand
  CHECK(bench.staged({one, of(Kind::less, 0, 7)}, 2) == Result::wrong);  // one that comes later
  CHECK(bench.staged({one, of(Kind::add, 0, 0)}, 2) == Result::wrong);   // twice the same: 2^n evaluations
  CHECK(bench.staged({{.kind = Kind::value, .offset = bench.plant.memory_size}}, 1) == Result::wrong);
  CHECK(bench.staged({{.kind = Kind::value, .offset = bench.plant.memory_size - 4}}, 1) == Result::wrong);
  CHECK(bench.staged({{.kind = Kind::value, .offset = static_cast<std::size_t>(-8)}}, 1) == Result::wrong);
  CHECK(bench.staged({{.kind = Kind::value, .offset = 3}}, 1) == Result::wrong);
  CHECK(bench.staged({one}, 1) == Result::begun);
  CHECK(bench.staged({one}, 1) != Result::wrong);  // the slot is free again
}

TEST_CASE("what no service in its senses wants done is refused with its condition") {
  Bench bench;
  TapCommand beyond = set_heater(1.0);
  beyond.action.target = 77;
  for (const TapCommand& command :
       {beyond, TapCommand{.kind = TapCommand::Kind::pause}, TapCommand{.kind = TapCommand::Kind::begin},
        TapCommand{.kind = TapCommand::Kind::await}}) {
    bench.answers.clear();
    bench.await("heater >= 0 W", ms, {command});
    bench.boundaries(3);
    CHECK(results(bench) == std::vector{Result::wrong});
  }
  RingWriter commands((*bench.memory).commands);
  REQUIRE(commands.try_push(TapCommand{.id = 9, .period_ns = ms, .kind = TapCommand::Kind::await, .count = 60'000}));
  bench.boundary();
  CHECK(bench.sink.taken.empty());
}

TEST_CASE("an await is given up by its client, and with the service it was asked of") {
  Bench bench;
  const std::uint64_t id = bench.await("heater > 3 W", 100 * ms, {set_heater(9.0)});
  bench.boundary();
  SECTION("by its client") {
    bench.service.unawait(id);
    bench.boundary();
    CHECK(results(bench) == std::vector{Result::begun, Result::given_up});
    bench.service.unawait(id);  // nothing is left of it
  }
  SECTION("with its service") {
    (*bench.memory).services.generation.fetch_add(1);
    ServiceEnd second(*bench.memory);
    bench.port.direct(bench.sink.now, bench.sink);
  }
  bench.bodies.memory.heater = 4.0;
  for (int k = 0; k < 3; ++k) bench.port.direct(bench.sink.now, bench.sink);
  CHECK(bench.sink.taken.empty());
}

TEST_CASE("all clients together await so many conditions, and their places come back") {
  Bench bench;
  for (int round = 0; round < 3; ++round) {
    for (std::size_t k = 0; k < TapSegment::most_awaits; ++k) bench.await("heater > 3 W", 2 * ms);
    CHECK_THROWS_WITH(bench.await("heater > 3 W", 2 * ms), Catch::Contains("16"));
    bench.boundaries(4);
  }
  bench.await("heater > 3 W", 100 * ms);
  bench.boundary();
  bench.port.end(bench.sink.now);
  (void)bench.service.poll({});
  CHECK(results(bench).back() == Result::ended);
}

TEST_CASE("a client is told that the plant waits, then when the condition came true and when its actions take effect") {
  test::DeskBench bench;
  bench.bodies.memory.heater = 0.0;
  const Json begun = bench.ask(
      R"({"id":7,"verb":"await","condition":"heater > 3 W","within":"1 s","then":[{"verb":"set","path":"heater","value":"1 kW"}]})");
  CHECK(begun["ok"] == true);
  CHECK(begun["id"] == 7);
  CHECK(begun["from_ns"] == ms);
  bench.bodies.memory.heater = 4.0;
  bench.boundary();
  const auto lines = bench.lines();
  REQUIRE(lines.size() == 1);
  CHECK(
      lines[0] ==
      Json::parse(
          R"({"await":)" + begun["await"].dump() +
          R"(,"held":true,"time_ns":1000000,"time_s":0.001,"step":1,"effective_ns":1000000,"effective_s":0.001,"done":1,"values":{"heater":4.0}})"));
  REQUIRE(bench.sink.taken.size() == 1);
  CHECK(bench.sink.taken[0].action.value == 1000.0);
  const std::string events = bench.ask(R"({"verb":"events"})")["events"].dump();
  CHECK_THAT(events, Catch::Contains("holds: heater > 3 W, awaited by test"));
  CHECK(bench.ask(R"({"verb":"unawait","await":)" + begun["await"].dump() + "}")["ok"] == false);
}

TEST_CASE("what a client awaits ends with its connection") {
  test::DeskBench bench;
  bench.bodies.memory.heater = 0.0;
  const std::string wait =
      R"({"verb":"await","condition":"heater > 3 W","within":"9 s","then":[{"verb":"set","path":"heater","value":1}]})";
  for (std::size_t k = 0; k < TapSegment::most_awaits; ++k) CHECK(bench.ask(wait)["ok"] == true);
  CHECK_THAT(bench.ask(wait)["error"].get<std::string>(), Catch::Contains("16 conditions"));
  bench.renew();
  bench.boundary();
  bench.bodies.memory.heater = 4.0;
  bench.boundary();
  CHECK(bench.sink.taken.empty());
  bench.bodies.memory.heater = 0.0;
  CHECK(bench.ask(wait)["ok"] == true);
}

TEST_CASE("what is wrong with an await is answered with what would do") {
  test::DeskBench bench;
  std::string sum = "heater";
  for (int k = 0; k < 60; ++k) sum += "+1 W";
  const auto with = [](const std::string& condition) {
    return R"({"verb":"await","within":"1 s","condition":")" + condition + "\"}";
  };
  const auto then = [](const std::string& actions) {
    return R"({"verb":"await","within":"1 s","condition":"heater > 3 W","then":)" + actions + "}";
  };
  std::string many = "[";
  for (int k = 0; k < 9; ++k) many += std::string(k > 0 ? "," : "") + R"({"verb":"stop"})";
  const std::pair<std::string, const char*> cases[] = {
      {R"({"verb":"await","within":"1 s"})", "condition"},
      {R"({"verb":"await","condition":"heater > 3 W"})", "within"},
      {R"({"verb":"await","condition":"heater > 3 W","within":"soon"})", "soon"},
      {R"({"verb":"await","condition":"heater > 3 W","within_ns":0})", "more than 0"},
      {R"({"verb":"await","condition":"heater > 3 W","within_ns":9000000000000000000})", "70 years"},
      {with("heater"), "condition:1:1: \\\"heater\\\" is a value"},
      {with("haeter > 3 W"), "did you mean \\\"heater\\\""},
      {with("heater > 3"), "condition:1:8"},
      {with("heater > 3 K"), "do not fit together"},
      {with(""), "condition:1:1"},
      {with(std::string(501, '(')), "500 at most"},
      {with(std::string(100, '(')), "nested too deeply"},
      {with(sum + " > 3 W"), "64 at most"},
      {then("{}"), "\\\"then\\\""},
      {then("[5]"), "list of objects"},
      {then("[{}]"), "verb"},
      {then(R"([{"verb":"pause"}])"), "wall clock"},
      {then(R"([{"verb":"resume"}])"), "is not done where"},
      {then(R"([{"verb":"set","path":"heater","value":"5 V"}])"), "V"},
      {then(R"([{"verb":"set","path":"heater","value":5},{"verb":"tune","path":"k","value":1}])"),
       "later than the rest"},
      {then(many + "]"), "8 actions"},
      {R"({"verb":"unawait","await":99})", "none of yours"},
  };
  for (const auto& [request, cause] : cases) {
    INFO(request);
    const Json answer = bench.ask(request);
    CHECK(answer["ok"] == false);
    CHECK_THAT(Json(answer["error"]).dump(), Catch::Contains(cause));
  }
  CHECK(bench.sink.taken.empty());
}
