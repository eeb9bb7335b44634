#pragma once
// A plant of plain memory whose values a test writes, and a sink that keeps what a scenario does to it.

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "runtime/plant/description.hpp"
#include "runtime/scenario/load_scenario.hpp"
#include "runtime/scenario/scenario.hpp"

namespace takt::test {

struct BenchMemory {
  double mass = 2.0;                       // parameter, kg
  double torque = 0.0, enable = 0.0;       // plant inputs
  double speed = 0.0, link_v = 400.0;      // signal, output
  double limp_home = 0.0, t_chip = 300.0;  // output of a control block, state
};

class BenchPlant {
 public:
  BenchPlant() {
    plant.name = "bench";
    plant.macro_step_ns = 1'000'000;
    plant.memory = reinterpret_cast<std::byte*>(&memory);
    plant.memory_size = sizeof memory;
    plant.inputs_offset = offsetof(BenchMemory, torque);
    plant.plant_inputs = inputs_;
    plant.table = table_;
  }
  BenchPlant(const BenchPlant&) = delete;
  BenchPlant& operator=(const BenchPlant&) = delete;

  BenchMemory memory;
  PlantDescription plant{};

 private:
  std::array<PlantInputDescription, 2> inputs_{{{"torque", "N*m", 0.0, 0.0}, {"enable", "1", 0.0, 0.0}}};
  std::array<MemoryEntry, 7> table_{{
      {"control.limp_home.out", "1", Role::output, 0, offsetof(BenchMemory, limp_home)},
      {"electric.link.v", "V", Role::output, 0, offsetof(BenchMemory, link_v)},
      {"enable", "1", Role::plant_input, 0xffff, offsetof(BenchMemory, enable)},
      {"mass", "kg", Role::parameter, 0xffff, offsetof(BenchMemory, mass)},
      {"solid.chip[0].t", "K", Role::state, 0, offsetof(BenchMemory, t_chip)},
      {"torque", "N*m", Role::plant_input, 0xffff, offsetof(BenchMemory, torque)},
      {"translational.car.v", "m/s", Role::signal, 0, offsetof(BenchMemory, speed)},
  }};
};

/// Sets plant inputs at once, as the executive does; keeps everything.
class BenchSink final : public ActionSink {
 public:
  explicit BenchSink(BenchPlant& bench) : bench_(bench) {}
  SimTime act(const Action& action, std::uint16_t) noexcept override {
    if (room == 0) return SimTime{-1};
    --room;
    if (action.verb == Action::Verb::set) (&bench_.memory.torque)[action.target] = action.value;
    times.push_back(now.ns());
    actions.push_back(action);
    return now;
  }
  void stop(const char* because) noexcept override { stopped = because; }

  SimTime now;
  std::vector<std::int64_t> times;
  std::vector<Action> actions;
  std::string stopped;
  int room = 1'000'000;

 private:
  BenchPlant& bench_;
};

/// A scenario over values that follow from time, in ms.
struct BenchRun {
  explicit BenchRun(const std::string& text, Scenario::Options options = {})
      : program(read_scenario(text, "test.toml", bench.plant)), scenario(program, bench.plant, options), sink(bench) {}

  /// Boundaries 0 to last_ms; stops where the scenario stops the run.
  ScenarioResult until(int last_ms, const std::function<void(BenchMemory&, int)>& values = {}) {
    scenario.start(sink);
    int ms = 0;
    for (; ms <= last_ms && sink.stopped.empty(); ++ms) {
      sink.now = SimTime{std::int64_t{ms} * 1'000'000};
      if (values) values(bench.memory, ms);
      const bool called = ms == 0 || ms == last_ms || scenario.looks_at(sink.now) || scenario.may_act_at(sink.now);
      if (called) scenario.direct(sink.now, sink);
    }
    scenario.end(sink.now);
    ended_ms = ms - 1;
    return scenario.result();
  }

  BenchPlant bench;
  ScenarioProgram program;
  Scenario scenario;
  BenchSink sink;
  int ended_ms = 0;
};

using Verdict = ExpectationResult::Verdict;
using Whole = ScenarioResult::Verdict;

}  // namespace takt::test
