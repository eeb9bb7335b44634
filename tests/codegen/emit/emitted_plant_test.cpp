// Runs an emitted plant through the exchange layer against its closed solution.

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <string_view>

#include "emitted_sample/plant.hpp"
#include "runtime/coupling/exchange.hpp"
#include "tests/codegen/emit/sample_plant.hpp"

namespace {

using namespace takt;

const PlantDescription& plant() { return takt_plant::describe(); }

double value(std::string_view path) {
  for (const MemoryEntry& entry : plant().table) {
    if (path != entry.path) continue;
    double result = 0.0;
    std::memcpy(&result, plant().memory + entry.offset, sizeof result);
    return result;
  }
  FAIL("no such entry: " << path);
  return 0.0;
}

/// Every window of one macro-step, in the plan's order.
void macro_step(Exchanges& exchanges, std::int64_t start_ns) {
  for (const WindowPlan& window : plant().windows) {
    if (start_ns % window.period_ns != 0) continue;
    const SubsystemDescription& subsystem = plant().subsystems[window.subsystem];
    exchanges.feed(window.subsystem);
    subsystem.run(plant().memory + subsystem.offset,
                  {.start_ns = start_ns,
                   .step_ns = subsystem.step_ns,
                   .steps = static_cast<std::int32_t>(subsystem.period_ns / subsystem.step_ns)});
    exchanges.collect(window.subsystem);
    if (subsystem.observe != nullptr)
      subsystem.observe(plant().memory + subsystem.offset, static_cast<double>(start_ns + subsystem.period_ns) / 1e9,
                        static_cast<double>(subsystem.period_ns) / 1e9);
  }
}

constexpr int steps = 20;  // 20 ms, two time constants

}  // namespace

TEST_CASE("an emitted RC circuit that heats a wall follows the closed solution and conserves energy") {
  namespace sample = takt::codegen::sample;
  Exchanges exchanges(plant(), {});
  REQUIRE(exchanges.settle() == -1);
  CHECK(value("solid.wall.t") == Approx(sample::start_t).epsilon(1e-15));
  CHECK(value("electric.r.i") == Approx(sample::v_in / sample::resistance).epsilon(1e-15));
  for (int step = 0; step < steps; ++step) macro_step(exchanges, step * plant().macro_step_ns);

  const double tau = sample::resistance * sample::capacitance;
  const double end = 1e-3 * steps;
  // Heun's error over n steps of h: about (t/tau) (h/tau)^2/6 e^(-t/tau) = 4.5e-6 of v_in; doubled for the constant.
  CHECK(value("electric.c.v") == Approx(sample::v_in * (1 - std::exp(-end / tau))).margin(1e-5 * sample::v_in));
  const double heat = sample::v_in * sample::v_in * sample::capacitance / 2 * (1 - std::exp(-2 * end / tau));
  CHECK(value("solid.wall.e") - sample::start_t * sample::heat_capacity == Approx(heat).epsilon(1e-4));
  CHECK(value("control.count") == steps);

  // The wall has exactly what the resistor lost; the source gave what both took.
  for (std::size_t index = 0; index < exchanges.size(); ++index) {
    if (plant().exchanges[index].kind == CouplingKind::flux) {
      CHECK(exchanges.ledger(index).throughput == Approx(heat).epsilon(1e-4));
      CHECK(exchanges.ledger(index).closes());
    }
  }
  const double balance =
      value("electric.energy.supplied") + value("electric.energy.exchanged") - value("electric.energy.stored");
  CHECK(balance == Approx(0.0).margin(1e-4 * heat));  // stored energy is quadratic in q, so of the method's order
}

TEST_CASE("a parameter takes effect by prepare(), without a rebuild") {
  Exchanges first(plant(), {});
  first.settle();
  const double before = value("electric.r.i");
  for (const MemoryEntry& entry : plant().table) {
    if (std::string_view(entry.path) != "r") continue;
    const double doubled = 2 * takt::codegen::sample::resistance;
    std::memcpy(plant().memory + entry.offset, &doubled, sizeof doubled);
  }
  Exchanges second(plant(), {});
  second.settle();
  CHECK(value("electric.r.i") == Approx(before / 2).epsilon(1e-15));
}

TEST_CASE("the table of an emitted plant is sorted and inside its memory") {
  for (std::size_t index = 0; index < plant().table.size(); ++index) {
    const MemoryEntry& entry = plant().table[index];
    if (index > 0) CHECK(std::string_view(plant().table[index - 1].path) < std::string_view(entry.path));
    CHECK(entry.offset + sizeof(double) <= plant().memory_size);
  }
  REQUIRE(plant().records.size() == 1);
  CHECK(plant().records[0].entries.size() == 5);  // electric.c.q, c.v, r.i, r.loss, control.drive
}

TEST_CASE("faults of elements are data over the parameters in plant memory") {
  const auto path_of = [](std::uint32_t parameter) -> std::string_view {
    for (const MemoryEntry& entry : plant().table)
      if (entry.role == Role::parameter && entry.offset == plant().parameters_offset + parameter * sizeof(double))
        return entry.path;
    return "";
  };
  REQUIRE(plant().faults.size() == 2);
  const FaultDescription& hot = plant().faults[0];
  CHECK(std::string_view(hot.element) == "electric.r");
  CHECK(std::string_view(hot.name) == "hot");
  CHECK(std::string_view(hot.text) == "twice its temperature coefficient, a \"tenth\" more resistance");
  REQUIRE(hot.changes.size() == 2);
  CHECK(path_of(hot.changes[0].parameter) == "r");
  CHECK(hot.changes[0].of == hot.changes[0].parameter);
  CHECK(hot.changes[0].factor == 1.1);
  CHECK(path_of(hot.changes[1].parameter) == "alpha");
  CHECK(hot.changes[1].of == FaultChange::none);
  CHECK(hot.changes[1].value == 0.004);
  REQUIRE(plant().faults[1].changes.size() == 1);
  CHECK(path_of(plant().faults[1].changes[0].parameter) == "t_max");
  CHECK(plant().faults[1].changes[0].value == 1e9);
}
