// An emitted Newton block: warm start, bounded iterations, what is left over recorded.

#include <catch2/catch.hpp>

#include "emitted_cubic/plant.hpp"
#include "runtime/coupling/exchange.hpp"

TEST_CASE("an emitted Newton block solves its equation and records what is left over") {
  const takt::PlantDescription& plant = takt_plant::describe();
  takt::Exchanges exchanges(plant, {});
  exchanges.settle();
  const takt::SubsystemDescription& electric = plant.subsystems[0];
  auto* memory = reinterpret_cast<double*>(plant.memory);
  const auto at = [&](std::size_t offset) -> double& { return memory[offset / sizeof(double)]; };
  CHECK(electric.states == 0);
  for (const takt::MemoryEntry& entry : plant.table) {
    if (std::string_view(entry.path) == "electric.d.i") CHECK(at(entry.offset) == Approx(2.0).epsilon(1e-14));  // 2 + 8
  }
  at(plant.inputs_offset) = 30.0;
  exchanges.feed(0);
  electric.run(plant.memory + electric.offset, {.start_ns = 0, .step_ns = electric.step_ns, .steps = 1});
  // A jump: three plain iterations are not enough, those that follow are, and the next window starts from there.
  CHECK(at(electric.newton_offset) <= 1e-6 * 60.0);
  CHECK(at(electric.newton_offset + sizeof(double)) == at(electric.newton_offset));
  for (int step = 1; step < 4; ++step)
    electric.run(plant.memory + electric.offset, {.start_ns = step, .step_ns = electric.step_ns, .steps = 1});
  electric.observe(plant.memory + electric.offset, 4e-9, 1e-9);
  CHECK(at(electric.newton_offset) < 1e-12);
  REQUIRE(electric.events.size() == 2);
  for (const takt::EventDescription& event : electric.events) CHECK(at(event.offset) == 0.0);  // unsolved, turned
  for (const takt::MemoryEntry& entry : plant.table) {
    if (std::string_view(entry.path) == "electric.d.i")
      CHECK(at(entry.offset) == Approx(3.0).epsilon(1e-14));  // 3 + 27
  }
}
