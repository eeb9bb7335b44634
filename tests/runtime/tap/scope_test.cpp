// Micro-steps computed again beside the plant, and what a scope keeps of them.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runtime/tap/scope_capture.hpp"
#include "runtime/tap/scope_replay.hpp"
#include "tests/runtime/tap/desk_bench.hpp"
#include "tests/runtime/tap/port_bench.hpp"

using namespace takt;
using Json = nlohmann::json;
using test::ms;

namespace {

/// A plant of the first body alone, whose windows somebody computes here.
struct Alone {
  Alone() {
    plant = bodies.description();
    subsystems.assign(plant.subsystems.begin(), plant.subsystems.begin() + 1);
    plant.subsystems = subsystems;
    subsystems[0].initialize(plant.memory);
  }
  [[nodiscard]] std::span<const double> memory() const {
    return {reinterpret_cast<const double*>(plant.memory), own_memory_size(plant, 0) / sizeof(double)};
  }
  /// One window, with an input that bends.
  void window() {
    bodies.memory.first_inputs[0] = {300.0 + static_cast<double>(now) * 1e-6, 5e4, -3e7, 1e9};
    subsystems[0].run(plant.memory, {.start_ns = now, .step_ns = subsystems[0].step_ns, .steps = 4});
    now += ms;
  }
  test::TwoBodies<> bodies;
  PlantDescription plant{};
  std::vector<SubsystemDescription> subsystems;
  std::int64_t now = 0;
};

}  // namespace

TEST_CASE("micro-steps are those of a window that is broken off there") {
  Alone alone;
  ScopeReplay replay(alone.plant, 0);
  std::vector<double> found;
  const auto each = [&](std::int64_t time_ns, const std::byte* own) {
    CHECK(time_ns == static_cast<std::int64_t>(found.size() + 1) * ms / 4);
    found.push_back(reinterpret_cast<const test::TwoBodiesMemory*>(own)->first.x[0]);
  };
  CHECK_FALSE(replay.take(0, alone.memory(), each));
  std::vector<double> expected;
  for (int window = 0; window < 5; ++window) {
    const test::TwoBodiesMemory before = alone.bodies.memory;
    const std::int64_t begin = alone.now;
    alone.window();
    const test::TwoBodiesMemory after = alone.bodies.memory;
    for (int steps = 1; steps <= 4; ++steps) {
      alone.bodies.memory = before;
      alone.bodies.memory.first_inputs[0] = after.first_inputs[0];
      alone.subsystems[0].run(alone.plant.memory, {.start_ns = begin, .step_ns = ms / 4, .steps = steps});
      expected.push_back(alone.bodies.memory.first.x[0]);
    }
    alone.bodies.memory = after;
    CHECK(replay.take(alone.now, alone.memory(), each));
  }
  REQUIRE(found.size() == expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) CHECK(found[k] == Approx(expected[k]).epsilon(1e-14));
  CHECK(replay.deviation() < 1e-14);
}

TEST_CASE("a window that is missing is not made up, and a plant that differs is found") {
  Alone alone;
  ScopeReplay replay(alone.plant, 0);
  int steps = 0;
  const auto each = [&](std::int64_t, const std::byte*) { ++steps; };
  (void)replay.take(0, alone.memory(), each);
  alone.window(), alone.window();
  CHECK_FALSE(replay.take(alone.now, alone.memory(), each));
  CHECK(steps == 0);
  alone.window();
  alone.bodies.memory.first.x[0] *= 1.01;
  CHECK(replay.take(alone.now, alone.memory(), each));
  CHECK(replay.deviation() == Approx(0.01 / 1.01).epsilon(1e-3));
}

TEST_CASE("what cannot be computed again is refused in words") {
  Alone alone;
  CHECK(why_no_replay(alone.plant, 0).empty());
  CHECK_THAT(why_no_replay(alone.bodies.description(), 0), Catch::Contains("no memory of its own"));
  alone.subsystems[0].foreign = true;
  CHECK_THAT(why_no_replay(alone.plant, 0), Catch::Contains("another program"));
  alone.subsystems[0].foreign = false;
  alone.subsystems[0].period_ns = ms / 2;
  CHECK_THAT(why_no_replay(alone.plant, 0), Catch::Contains("several times"));
}

TEST_CASE("a scope keeps the rows before its trigger and those from it on") {
  ScopeCapture capture({.signals = 1, .pre = 3, .post = 2, .waits = true});
  for (int k = 0; k < 20 && !capture.is_complete(); ++k) {
    const double value = k;
    capture.add(k * 1000, {&value, 1}, k < 2 || k >= 10);  // one that holds at the beginning has not come true
  }
  CHECK(capture.triggered_ns() == 10'000);
  CHECK(capture.rows() == std::vector<double>{7e-6, 7, 8e-6, 8, 9e-6, 9, 10e-6, 10, 11e-6, 11});
}

TEST_CASE("rows of several micro-steps have the least and the largest of each value, and no gap in them") {
  ScopeCapture capture({.signals = 1, .post = 2, .every = 3});
  const double values[] = {5, 1, 7, 9, 9, 0, 4, 6, 5};
  for (int k = 0; k < 9; ++k) {
    if (k == 5) capture.gap();
    capture.add(k, {&values[k], 1}, false);
  }
  CHECK(capture.rows() == std::vector<double>{2e-9, 1, 7, 7e-9, 0, 6});
}

TEST_CASE("a scope is told of every boundary, copies the memory of its subsystem alone, and observes nothing") {
  test::PortBench bench;
  const std::vector<SubsystemDescription> first(bench.plant.subsystems.begin(), bench.plant.subsystems.begin() + 1);
  bench.plant.subsystems = first;
  std::vector<std::vector<double>> blocks;
  const std::size_t slot = bench.service.subscribe_block(
      0, [&](const TapAnswer& answer) { bench.answers.push_back(answer); },
      [&](const Sample& sample) { blocks.emplace_back(sample.values.begin(), sample.values.end()); });
  bench.boundaries(4);
  CHECK_FALSE(bench.looked_at);
  REQUIRE(blocks.size() == 3);
  const auto* memory = reinterpret_cast<const double*>(bench.plant.memory);
  CHECK(std::memcmp(blocks[2].data(), memory, blocks[2].size() * sizeof(double)) == 0);
  CHECK(blocks[2].size() == own_memory_size(bench.plant, 0) / sizeof(double));
  bench.service.unsubscribe(slot);
  bench.boundaries(3);
  CHECK(blocks.size() <= 4);
  CHECK((*bench.memory).status.rows.load() == 0);
  bench.send({.kind = TapCommand::Kind::block, .slot = 1, .count = 77});
  bench.send({.kind = TapCommand::Kind::block, .slot = 200, .count = 0});
  bench.answers.clear();
  bench.boundary();
  for (const TapAnswer& answer : bench.answers) CHECK(answer.result == TapAnswer::Result::wrong);
  CHECK(bench.answers.size() == 2);
}

TEST_CASE("what is wrong with a scope is answered with what would do") {
  test::DeskBench bench;
  const std::pair<const char*, const char*> cases[] = {
      {R"({"verb":"scope"})", "path"},
      {R"({"verb":"scope","paths":["first.t"]})", "no memory of its own"},
      {R"({"verb":"scope","paths":["heater"]})", "one subsystem"},
      {R"({"verb":"scope","paths":["first.t","second.t"]})", "one subsystem"},
      {R"({"verb":"unscope"})", "no scope"},
  };
  for (const auto& [request, cause] : cases) {
    INFO(request);
    const Json answer = bench.ask(request);
    CHECK(answer["ok"] == false);
    CHECK_THAT(answer["error"].get<std::string>(), Catch::Contains(cause));
  }
}
