// Micro-steps computed again beside the plant, and what a scope keeps of them.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runtime/steering/window_copies.hpp"
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
    subsystems[0].touched = static_cast<std::uint32_t>(own_memory_size(plant, 0));
    subsystems[0].initialize(plant.memory);
  }
  /// One window, with an input that bends; its memory as it begins is kept.
  void window() {
    bodies.memory.first_inputs[0] = {300.0 + static_cast<double>(now) * 1e-6, 5e4, -3e7, 1e9};
    const auto* words = reinterpret_cast<const double*>(plant.memory);
    windows.assign(words, words + WindowCopies::window_bytes(subsystems[0]) / sizeof(double));
    subsystems[0].run(plant.memory, {.start_ns = now, .step_ns = subsystems[0].step_ns, .steps = 4});
    now += ms;
  }
  test::TwoBodies<> bodies;
  PlantDescription plant{};
  std::vector<SubsystemDescription> subsystems;
  std::vector<double> windows;  ///< of the last macro-step
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
    CHECK(replay.take(alone.now, alone.windows, each) == (window > 0));
  }
  REQUIRE(found.size() == expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) CHECK(found[k] == Approx(expected[k]).epsilon(1e-14));
  CHECK(replay.deviation() < 1e-14);
}

TEST_CASE("a macro-step that is missing is told, and a plant that differs is found") {
  Alone alone;
  ScopeReplay replay(alone.plant, 0);
  int steps = 0;
  const auto each = [&](std::int64_t, const std::byte*) { ++steps; };
  alone.window();
  CHECK_FALSE(replay.take(alone.now, alone.windows, each));
  alone.window(), alone.window();
  CHECK_FALSE(replay.take(alone.now, alone.windows, each));
  CHECK(steps == 8);
  CHECK(replay.deviation() == 0.0);
  alone.bodies.memory.first.x[0] *= 1.01;
  alone.window();
  CHECK(replay.take(alone.now, alone.windows, each));
  CHECK(replay.deviation() == Approx(0.01 / 1.01).epsilon(1e-3));
}

TEST_CASE("windows within a macro-step are copied one after the other, as far as there is room") {
  Alone alone;
  alone.subsystems[0].period_ns = ms / 2;
  const std::size_t bytes = WindowCopies::window_bytes(alone.subsystems[0]);
  CHECK(WindowCopies::macro_step_bytes(alone.plant, 0) == 2 * bytes);
  WindowCopies copies(alone.plant);
  CHECK_FALSE(copies.wants(0));
  REQUIRE(copies.begin(0));
  CHECK_FALSE(copies.begin(0));
  copies.keep(0);
  alone.bodies.memory.first.x[0] += 1.0;
  copies.keep(0);
  REQUIRE(copies.taken(0).size() == 2 * bytes);
  CHECK(std::memcmp(copies.taken(0).data() + bytes, alone.plant.memory, bytes) == 0);
  CHECK(std::memcmp(copies.taken(0).data(), alone.plant.memory, bytes) != 0);
  copies.clear(0);
  CHECK(copies.taken(0).empty());
  for (std::size_t k = 0; k < 2 * WindowCopies::room / bytes; ++k) copies.keep(0);
  CHECK(copies.taken(0).size() <= WindowCopies::room);
  copies.end(0);
  CHECK_FALSE(copies.wants(0));
}

TEST_CASE("what cannot be computed again is refused in words") {
  Alone alone;
  CHECK(why_no_replay(alone.plant, 0).empty());
  CHECK_THAT(why_no_replay(alone.bodies.description(), 0), Catch::Contains("no memory of its own"));
  alone.subsystems[0].foreign = true;
  CHECK_THAT(why_no_replay(alone.plant, 0), Catch::Contains("another program"));
  alone.subsystems[0].foreign = false;
  alone.subsystems[0].touched = 1000;
  alone.subsystems[0].period_ns = ms / 500;
  CHECK_THAT(why_no_replay(alone.plant, 0), Catch::Contains("500000 bytes of windows in a macro-step"));
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

TEST_CASE("a scope is told of every boundary, copies the windows of its subsystem alone, and observes nothing") {
  test::PortBench bench;
  std::vector<SubsystemDescription> first(bench.plant.subsystems.begin(), bench.plant.subsystems.begin() + 1);
  first[0].touched = static_cast<std::uint32_t>(own_memory_size(bench.plant, 0));
  bench.plant.subsystems = first;
  WindowCopies copies(bench.plant);
  bench.sink.copies = &copies;
  const auto window = [&] {
    if (copies.wants(0)) copies.keep(0);
  };
  std::vector<std::vector<double>> blocks;
  std::vector<std::int64_t> times;
  const std::size_t slot = bench.service.subscribe_copies(
      0, [&](const TapAnswer& answer) { bench.answers.push_back(answer); },
      [&](const Sample& sample) {
        blocks.emplace_back(sample.values.begin(), sample.values.end());
        times.push_back(sample.time_ns);
      });
  for (int k = 0; k < 4; ++k) bench.boundary(), window();
  CHECK_FALSE(bench.looked_at);
  CHECK(times == std::vector<std::int64_t>{ms, 2 * ms, 3 * ms});
  REQUIRE(blocks.size() == 3);
  CHECK(blocks[2].size() == WindowCopies::window_bytes(first[0]) / sizeof(double));
  CHECK(std::memcmp(blocks[2].data(), bench.plant.memory, blocks[2].size() * sizeof(double)) == 0);
  bench.boundary(), window(), window();  // one too many: what is shown would be of other times
  bench.boundary();
  CHECK(blocks.size() == 4);
  bench.service.unsubscribe(slot);
  bench.boundaries(3);
  CHECK_FALSE(copies.wants(0));
  CHECK((*bench.memory).status.rows.load() == 0);
  bench.answers.clear();
  bench.send({.kind = TapCommand::Kind::copies, .slot = 1, .count = 77});
  bench.send({.kind = TapCommand::Kind::copies, .slot = 200, .count = 0});
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
