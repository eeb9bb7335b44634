#include "runtime/executive/plant_digest.hpp"

#include <catch2/catch.hpp>
#include <cstddef>
#include <vector>

namespace takt {
namespace {

/// A circuit of resistors by hand: no state, nothing sent; an output that a bus reads, and energies.
struct Memory {
  double output = 0.0;
  double energy[5] = {};
};

struct Resistors {
  Memory memory;
  std::vector<SubsystemDescription> subsystems{{.name = "electric",
                                                .domain = "electric",
                                                .method = "euler",
                                                .step_ns = 1000,
                                                .period_ns = 1000,
                                                .equations = 1,
                                                .outputs = 1,
                                                .newton_blocks = 0,
                                                .outputs_offset = offsetof(Memory, output),
                                                .energy_offset = offsetof(Memory, energy),
                                                .newton_offset = 0,
                                                .prepare = nullptr,
                                                .initialize = nullptr,
                                                .run = nullptr}};
  std::vector<WindowPlan> windows{{.subsystem = 0, .core = 0, .period_ns = 1000, .offset_ns = 0}};

  std::uint64_t digest() {
    PlantDescription plant{};
    plant.memory = reinterpret_cast<std::byte*>(&memory);
    plant.memory_size = sizeof memory;
    plant.subsystems = subsystems, plant.windows = windows;
    const Exchanges exchanges(plant, {});
    PlantDigest digest(plant, exchanges, {});
    std::uint64_t sum = 0;
    finite = digest.add(0, sum);
    digest.close(0, sum);
    return digest.value();
  }
  bool finite = false;
};

}  // namespace

TEST_CASE("what has no state and sends nothing is in the digest by what it has computed") {
  Resistors plant;
  const std::uint64_t reference = plant.digest();
  CHECK(plant.digest() == reference);
  plant.memory.energy[1] = 1e-300;
  CHECK(plant.digest() != reference);
  plant.memory.energy[1] = 0.0, plant.memory.output = 1.0;
  CHECK(plant.digest() != reference);
  CHECK(plant.finite);
  plant.memory.energy[0] = 1.0 / 0.0;
  (void)plant.digest();
  CHECK_FALSE(plant.finite);
}

}  // namespace takt
