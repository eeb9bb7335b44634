#include "runtime/tap/tap_port.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <vector>

#include "tests/runtime/tap/port_bench.hpp"

using namespace takt;
using test::ms;
using test::set_heater;
using Bench = test::PortBench;

TEST_CASE("an action is taken at the next boundary and answered with the time it takes effect") {
  Bench bench;
  bench.boundaries(3);
  bench.send(set_heater(5.0));
  bench.boundary();
  REQUIRE(bench.sink.taken.size() == 1);
  CHECK(bench.sink.taken[0].time.ns() == 3 * ms);
  CHECK(bench.sink.taken[0].action.value == 5.0);
  REQUIRE(bench.answers.size() == 1);
  CHECK(bench.answers[0].result == TapAnswer::Result::done);
  CHECK(bench.answers[0].time_ns == 3 * ms);
}

TEST_CASE("actions of one request take effect at one boundary, also where others come before them") {
  Bench bench;
  for (int k = 0; k < TapPort::commands_at_once - 2; ++k) bench.send(set_heater(k));
  std::vector<TapCommand> together(4, set_heater(100.0));
  bench.service.send(together, {});
  bench.boundaries(2);
  std::vector<std::int64_t> times;
  for (const auto& taken : bench.sink.taken)
    if (taken.action.value == 100.0) times.push_back(taken.time.ns());
  CHECK(times == std::vector<std::int64_t>(4, ms));
  CHECK(bench.sink.taken.size() == TapPort::commands_at_once + 2);
}

TEST_CASE("a boundary takes a fixed number of commands at most") {
  Bench bench;
  for (int k = 0; k < 100; ++k) bench.send(set_heater(k));
  bench.boundary();
  CHECK(bench.sink.taken.size() <= TapPort::commands_at_once);
  bench.boundaries(10);
  REQUIRE(bench.sink.taken.size() == 100);
  for (int k = 0; k < 100; ++k) CHECK(bench.sink.taken[static_cast<std::size_t>(k)].action.value == k);
}

TEST_CASE("where the plant has no room, the answer says so") {
  Bench bench;
  bench.sink.room = 0;
  bench.send(set_heater(1.0));
  bench.sink.room = 0;
  bench.boundary();
  REQUIRE(bench.answers.size() == 1);
  CHECK(bench.answers[0].result == TapAnswer::Result::full);
}

TEST_CASE("what no service in its senses sends is answered, and harms nothing") {
  Bench bench;
  TapCommand beyond = set_heater(1.0);
  beyond.action.target = 77;
  bench.send(beyond);
  TapCommand endless = set_heater(std::numeric_limits<double>::quiet_NaN());
  bench.send(endless);
  TapCommand unknown;
  unknown.kind = static_cast<TapCommand::Kind>(200);
  bench.send(unknown);
  TapCommand slot{.kind = TapCommand::Kind::subscribe, .slot = 200, .count = 1};
  bench.send(slot);
  TapCommand rows{.kind = TapCommand::Kind::subscribe, .slot = 1, .count = 4'000'000'000};
  bench.send(rows);
  (*bench.memory).rows[2][0] = 99;
  TapCommand row{.kind = TapCommand::Kind::subscribe, .slot = 2, .count = 1};
  bench.send(row);
  bench.boundaries(3);
  CHECK(bench.sink.taken.empty());
  REQUIRE(bench.answers.size() == 6);
  for (const TapAnswer& answer : bench.answers) CHECK(answer.result == TapAnswer::Result::wrong);
  CHECK((*bench.memory).status.rows.load() == 0);
  RingWriter commands((*bench.memory).commands);
  TapCommand row_of_none = set_heater(1.0);
  row_of_none.count = 60'000;  // more than there are
  REQUIRE(commands.try_push(row_of_none));
  bench.boundary();
  CHECK(bench.sink.taken.empty());
}

TEST_CASE("a subscription observes its rows on its grid, after a boundary at which it was announced") {
  Bench bench;
  bench.boundaries(1);
  bench.subscribe({2, 1}, 3 * ms);
  bench.bodies.memory.heater = 7.0;
  bench.bodies.memory.first.x[0] = 350.0;
  std::vector<std::int64_t> looked;
  for (int k = 0; k < 9; ++k) {
    bench.boundary();
    if (bench.looked_at) looked.push_back(bench.sink.now.ns() - ms);
  }
  REQUIRE(bench.answers.size() == 1);
  CHECK(bench.answers[0].period_ns == 3 * ms);
  CHECK(bench.times == std::vector<std::int64_t>{3 * ms, 6 * ms, 9 * ms});
  CHECK(looked == bench.times);
  CHECK(bench.values[0] == std::vector<double>{7.0, 350.0});
}

TEST_CASE("a period is rounded up to whole macro-steps, and the answer says so") {
  Bench bench;
  bench.subscribe({1}, 2 * ms + 1);
  bench.boundaries(8);
  REQUIRE(bench.answers.size() == 1);
  CHECK(bench.answers[0].period_ns == 3 * ms);
  CHECK(bench.times == std::vector<std::int64_t>{3 * ms, 6 * ms});
}

TEST_CASE("what is wanted once comes once") {
  Bench bench;
  bench.subscribe({1}, 0);
  bench.boundaries(5);
  CHECK(bench.times == std::vector<std::int64_t>{ms});
  CHECK_FALSE(bench.port.looks_at(bench.sink.now));
  for (int k = 0; k < 100; ++k) {  // slots come back
    bench.subscribe({1}, 0);
    bench.boundaries(2);
  }
  CHECK(bench.times.size() == 101);
}

TEST_CASE("a sample shows the plant before what is done to it at that boundary") {
  struct Setter final : ActionSink {
    test::TwoBodiesMemory& m;
    explicit Setter(test::TwoBodiesMemory& memory) : m(memory) {}
    SimTime act(const Action& action, std::uint16_t) noexcept override {
      m.heater = action.value;
      return SimTime{};
    }
    void stop(const char*) noexcept override {}
  };
  Bench bench;
  Setter setter(bench.bodies.memory);
  bench.subscribe({2}, ms);
  bench.port.direct(SimTime{}, setter);
  bench.send(set_heater(9.0));
  bench.port.direct(SimTime{ms}, setter);
  bench.port.direct(SimTime{2 * ms}, setter);
  (void)bench.service.poll({});
  REQUIRE(bench.values.size() == 2);
  CHECK(bench.values[0][0] == 0.0);
  CHECK(bench.values[1][0] == 9.0);
}

TEST_CASE("rows that nobody reads are counted, and those that follow come whole") {
  Bench bench;
  std::vector<std::uint32_t> rows(2000, 1);
  bench.subscribe(rows, ms);
  bench.boundaries(5);
  const std::size_t before = bench.times.size();
  const int unread = static_cast<int>(TapSegment::value_words / 2000) + 50;
  for (int k = 0; k < unread; ++k) {  // the service does not look
    bench.port.direct(bench.sink.now, bench.sink);
    bench.sink.now += SimDuration{ms};
  }
  const TapStatus& status = (*bench.memory).status;
  bench.boundary();
  const std::uint64_t dropped = status.samples_dropped.load();
  CHECK(dropped > 0);
  CHECK(bench.times.size() - before + dropped == static_cast<std::size_t>(unread) + 1);
  bench.boundaries(3);
  CHECK(bench.times.back() == bench.sink.now.ns() - ms);
  for (const auto& row : bench.values) {
    REQUIRE(row.size() == 2000);
    CHECK(std::all_of(row.begin(), row.end(), [&](double v) { return v == row[0]; }));
  }
}

TEST_CASE("the limit of rows holds for all subscriptions together") {
  Bench bench;
  const std::vector<std::uint32_t> many(TapSegment::most_rows, 1);
  bench.subscribe(many, ms);
  CHECK_THROWS_WITH(bench.subscribe({1}, ms), Catch::Contains("4096"));
  bench.boundaries(3);
  CHECK(bench.answers.empty());  // some at a boundary
  bench.boundaries(8);
  CHECK(bench.answers.size() == 1);
  CHECK(bench.values.at(0).size() == TapSegment::most_rows);
}

TEST_CASE("a new service ends what an earlier one has subscribed, and its answers are nobody's") {
  Bench bench;
  bench.subscribe({1}, ms);
  bench.boundaries(3);
  REQUIRE_FALSE(bench.times.empty());
  (*bench.memory).services.generation.fetch_add(1);
  ServiceEnd second(*bench.memory);
  bench.port.direct(bench.sink.now, bench.sink);
  CHECK((*bench.memory).status.rows.load() == 0);
  CHECK_FALSE(bench.port.looks_at(bench.sink.now + SimDuration{ms}));
  CHECK(second.poll({}));
  CHECK(second.patience_ms(250) == 250);
}

TEST_CASE("a paced run is not paused") {
  Bench bench;
  bench.send({.kind = TapCommand::Kind::pause});
  bench.send({.period_ns = 3, .kind = TapCommand::Kind::step});
  bench.boundaries(2);
  REQUIRE(bench.answers.size() == 2);
  CHECK(bench.answers[0].result == TapAnswer::Result::paced);
  CHECK(bench.answers[1].result == TapAnswer::Result::paced);
}

TEST_CASE("a free run is held by a pause, goes the steps it is told, and ends with stop") {
  Bench bench({.paced = false, .holds_at_start = true});
  int rounds = 0;
  // While the plant is held, its clock goes on: commands come then.
  bench.clock.on_sleep = [&] {
    ++rounds;
    (*bench.memory).services.keeper_beats.fetch_add(1);
    if (rounds == 3) bench.send({.period_ns = 2, .kind = TapCommand::Kind::step});
    if (rounds == 5) bench.subscribe({1}, 0);
    if (rounds == 6) bench.send(set_heater(4.0));
    if (rounds == 7) bench.send({.kind = TapCommand::Kind::stop});
  };
  bench.boundary();  // held at time 0 until the third round
  CHECK(rounds == 3);
  CHECK(bench.port.looks_at(bench.sink.now));
  bench.boundary();
  CHECK(rounds == 3);
  bench.boundary();  // held at the end of the step
  CHECK(rounds == 7);
  REQUIRE(bench.sink.taken.size() == 1);
  CHECK(bench.sink.taken[0].time.ns() == 2 * ms);
  CHECK(bench.times == std::vector<std::int64_t>{2 * ms});  // read while held
  CHECK(bench.sink.stopped == "stopped by a client of the tap");
  REQUIRE(bench.answers.size() == 4);
  CHECK(bench.answers[0].time_ns == 2 * ms);
}

TEST_CASE("a read that comes at the boundary at which the run is held is answered there") {
  Bench bench({.paced = false, .holds_at_start = true});
  int rounds = 0;
  bench.clock.on_sleep = [&] {
    (*bench.memory).services.keeper_beats.fetch_add(1);
    (void)bench.service.poll({});
    if (++rounds == 1) CHECK(bench.times == std::vector<std::int64_t>{0});
    if (rounds == 2) bench.send({.kind = TapCommand::Kind::stop});
  };
  bench.subscribe({1}, 0);
  bench.boundary();
  CHECK(rounds == 2);
  CHECK(bench.times == std::vector<std::int64_t>{0});  // once
}

TEST_CASE("a pause begins at the next boundary, where signals are up to date") {
  Bench bench({.paced = false});
  bench.boundary();
  bench.send({.kind = TapCommand::Kind::pause});
  int rounds = 0;
  bench.clock.on_sleep = [&] {
    (*bench.memory).services.keeper_beats.fetch_add(1);
    if (++rounds == 2) bench.send({.kind = TapCommand::Kind::resume});
  };
  bench.boundary();
  CHECK(rounds == 0);
  CHECK(bench.port.looks_at(bench.sink.now));
  bench.boundary();
  CHECK(rounds == 2);
  REQUIRE(bench.answers.size() == 2);
  CHECK(bench.answers[0].time_ns == 2 * ms);
  bench.send({.kind = TapCommand::Kind::resume});
  bench.boundary();
  CHECK(bench.answers.back().result == TapAnswer::Result::not_paused);
}

TEST_CASE("a run that nobody can resume any more goes on") {
  Bench bench({.paced = false, .holds_at_start = true});
  std::vector<TapEvent::Kind> events;
  bench.boundary();  // nobody beats
  (void)bench.service.poll([&](const TapEvent& event) { events.push_back(event.kind); });
  bench.port.direct(bench.sink.now, bench.sink);
  CHECK((*bench.memory).status.phase.load() == TapStatus::Phase::running);
}

TEST_CASE("a run with several workers acts where something has come, and tells how it is now and then") {
  Bench bench({.paced = false, .tell_every = 8});
  bench.boundary();
  CHECK_FALSE(bench.port.may_act_at(SimTime{3 * ms}));
  CHECK(bench.port.may_act_at(SimTime{8 * ms}));
  bench.send(set_heater(1.0));
  CHECK(bench.port.may_act_at(SimTime{3 * ms}));
  bench.boundary();
  CHECK_FALSE(bench.port.may_act_at(SimTime{3 * ms}));
  bench.subscribe({1}, 5 * ms);
  bench.boundary();
  CHECK(bench.port.may_act_at(SimTime{4 * ms}));  // to announce the next one
  CHECK(bench.port.looks_at(SimTime{5 * ms}));
  CHECK_FALSE(bench.port.may_act_at(SimTime{6 * ms}));
}
