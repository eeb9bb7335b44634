#include "runtime/start/differences.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <numeric>

#include "runtime/coupling/exchange.hpp"

namespace takt::start {
namespace {

constexpr std::size_t count = 300;

/// A chain of vessels by hand: each flows into the next, the last one away. A valve, while open, leads from the first
/// to one in the middle.
struct ChainMemory {
  double x[count] = {};
  double energy[4] = {}, newton[2] = {};
  bool valve = false;
};
int calls = 0;  // not in memory, which is put back

ChainMemory& chain(std::byte* memory) noexcept { return *reinterpret_cast<ChainMemory*>(memory); }
void nothing(std::byte*, const double*) noexcept {}
void initialize(std::byte* memory) noexcept {
  for (std::size_t k = 0; k < count; ++k) chain(memory).x[k] = 1.0 + 0.01 * static_cast<double>(k % 7);
}
void rates(std::byte* memory, double* f) noexcept {
  const ChainMemory& own = chain(memory);
  ++calls;
  for (std::size_t k = 0; k < count; ++k) f[k] = (k == 0 ? 0.5 : std::sqrt(own.x[k - 1])) - std::sqrt(own.x[k]);
  if (!own.valve) return;
  f[0] -= 0.25 * own.x[0], f[count / 2] += 0.25 * own.x[0];
}

struct Chain {
  ChainMemory memory{};
  std::vector<SubsystemDescription> subsystems;
  std::vector<WindowPlan> windows{{.subsystem = 0, .core = 0, .period_ns = 1000, .offset_ns = 0}};
  PlantDescription plant{};
  std::vector<std::size_t> index = std::vector<std::size_t>(count);
  std::vector<double> steps = std::vector<double>(count, 1e-6);

  Chain() {
    subsystems.push_back({.name = "chain",
                          .domain = "none",
                          .method = "heun",
                          .step_ns = 1000,
                          .period_ns = 1000,
                          .equations = count,
                          .states = count,
                          .newton_blocks = 0,
                          .states_offset = offsetof(ChainMemory, x),
                          .energy_offset = offsetof(ChainMemory, energy),
                          .newton_offset = offsetof(ChainMemory, newton),
                          .prepare = nothing,
                          .initialize = initialize,
                          .run = nullptr,
                          .rates = rates});
    plant.name = "chain";
    plant.macro_step_ns = 1000;
    plant.memory = reinterpret_cast<std::byte*>(&memory);
    plant.memory_size = sizeof memory;
    plant.subsystems = subsystems, plant.windows = windows;
    std::iota(index.begin(), index.end(), std::size_t{0});
    initialize(plant.memory);
  }

  /// d f_row / d x_column
  [[nodiscard]] double slope(std::size_t row, std::size_t column) const {
    const double root = 0.5 / std::sqrt(memory.x[column]);
    double slope = row == column ? -root : row == column + 1 ? root : 0.0;
    if (memory.valve && column == 0) slope += row == 0 ? -0.25 : row == count / 2 ? 0.25 : 0.0;
    return slope;
  }
  void require_right(const SparseMatrix& change) const {
    const Matrix full = change.dense();
    double worst = 0.0;
    for (std::size_t row = 0; row < count; ++row)
      for (std::size_t column = 0; column < count; ++column)
        worst = std::max(worst, std::fabs(full[row][column] / (2.0 * steps[column]) - slope(row, column)));
    CHECK(worst < 1e-8);
  }
};

/// At its start values.
struct Known {
  Chain chain;
  PlantRates rates{chain.plant};
  Differences differences{rates};
  std::vector<double> z = rates.values();

  Known() { (void)rates.at(z); }
};

}  // namespace

TEST_CASE("states_that_share_no_rate_step_together") {
  Known known;
  auto& [chain, rates, differences, z] = known;
  calls = 0;
  chain.require_right(differences.together(z, chain.index, chain.steps));
  CHECK(calls >= static_cast<int>(2 * count));  // nothing is known yet
  calls = 0;
  chain.require_right(differences.together(z, chain.index, chain.steps));
  CHECK(calls <= 10);  // two groups and the proof, up and down
}

TEST_CASE("what_was_closed_and_has_opened_is_seen") {
  Known known;
  auto& [chain, rates, differences, z] = known;
  chain.require_right(differences.together(z, chain.index, chain.steps));
  chain.memory.valve = true;
  (void)rates.afresh(z);
  calls = 0;
  chain.require_right(differences.together(z, chain.index, chain.steps));
  CHECK(calls >= static_cast<int>(2 * count));
  calls = 0;
  chain.require_right(differences.together(z, chain.index, chain.steps));
  CHECK(calls <= 12);
  chain.memory.valve = false;  // nothing is lost where it closes again
  (void)rates.afresh(z);
  chain.require_right(differences.together(z, chain.index, chain.steps));
}

TEST_CASE("other_states_are_other_columns") {
  Known known;
  auto& [chain, rates, differences, z] = known;
  chain.require_right(differences.together(z, chain.index, chain.steps));
  const std::vector<std::size_t> some{3, 4, 200};
  const std::vector<double> steps{1e-6, 1e-6, 1e-6};
  const Matrix full = differences.together(z, some, steps).dense();
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 3; ++column)
      CHECK(full[row][column] / 2e-6 == Approx(chain.slope(some[row], some[column])).margin(1e-8));
}

}  // namespace takt::start
