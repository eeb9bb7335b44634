#include "runtime/start/steady_state.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "runtime/coupling/exchange.hpp"
#include "tests/runtime/support/two_bodies.hpp"

namespace takt {
namespace {

constexpr std::size_t most = 4;
using Law = void (*)(const double* z, double* rates);

/// One subsystem by hand: states, their start values, and their rates.
struct SmallMemory {
  double x[most] = {};
  double start[most] = {};
  double observed = 0.0;
  double energy[4] = {}, newton[2] = {};
  Law law = nullptr;
  bool shows_rate = false;
};

SmallMemory& small(std::byte* memory) noexcept { return *reinterpret_cast<SmallMemory*>(memory); }
void nothing(std::byte*, const double*) noexcept {}
void initialize(std::byte* memory) noexcept {
  std::memcpy(small(memory).x, small(memory).start, sizeof small(memory).x);
}
void rates(std::byte* memory, double* f) noexcept {
  small(memory).law(small(memory).x, f);
  small(memory).observed = small(memory).shows_rate ? f[0] : small(memory).x[0];
}

struct SmallPlant {
  SmallMemory memory{};
  std::vector<std::uint32_t> fixed;
  std::vector<SubsystemDescription> subsystems;
  std::vector<WindowPlan> windows;
  std::vector<MemoryEntry> table;

  SmallPlant(Law law, std::vector<double> start, const char* method = "heun", std::vector<std::uint32_t> keep = {})
      : fixed(std::move(keep)) {
    constexpr const char* names[most] = {"control.a.x", "control.b.x", "control.c.x", "control.d.x"};
    memory.law = law;
    for (std::size_t k = 0; k < start.size(); ++k) {
      memory.start[k] = start[k];
      table.push_back({names[k], "m", Role::state, 0, offsetof(SmallMemory, x) + k * sizeof(double)});
    }
    table.push_back({"seen", "m", Role::signal, 0, offsetof(SmallMemory, observed)});
    subsystems.push_back({.name = "small",
                          .domain = "none",
                          .method = method,
                          .step_ns = 1000,
                          .period_ns = 1000,
                          .equations = 1,
                          .states = static_cast<std::uint32_t>(start.size()),
                          .inputs = 0,
                          .outputs = 0,
                          .fluxes_out = 0,
                          .fluxes_in = 0,
                          .newton_blocks = 0,
                          .states_offset = offsetof(SmallMemory, x),
                          .inputs_offset = 0,
                          .outputs_offset = 0,
                          .sent_offset = 0,
                          .received_offset = 0,
                          .energy_offset = offsetof(SmallMemory, energy),
                          .newton_offset = offsetof(SmallMemory, newton),
                          .prepare = nothing,
                          .initialize = initialize,
                          .run = nullptr,
                          .events = {},
                          .rates = rates,
                          .fixed = fixed});
    windows.push_back({.subsystem = 0, .core = 0, .period_ns = 1000, .offset_ns = 0});
  }
  StartResult solve() {
    PlantDescription plant{};
    plant.name = "small";
    plant.macro_step_ns = 1000;
    plant.memory = reinterpret_cast<std::byte*>(&memory);
    plant.memory_size = sizeof memory;
    plant.table = table, plant.subsystems = subsystems, plant.windows = windows;
    Exchanges exchanges(plant, {});
    exchanges.settle();
    return find_steady_state(plant);
  }
};

TEST_CASE("linear_plant_takes_one_newton_step_and_its_check") {
  SmallPlant plant([](const double* z, double* f) { f[0] = 1e9 * (z[1] - z[0]), f[1] = 1e-3 * (5.0 - z[1]); },
                   {0.0, 1.0});
  const StartResult result = plant.solve();
  CHECK(plant.memory.x[0] == Approx(5.0).epsilon(1e-12));
  CHECK(plant.memory.x[1] == Approx(5.0).epsilon(1e-12));
  CHECK(result.steps <= 3);
  CHECK(result.invariants.empty());
}

/// x' = x - x^3 has steady states at -1, 0, 1. From 0.5 the plant itself goes to 1; Newton's step from there is -1.5.
TEST_CASE("follows_the_plant_where_newton_would_leave_it") {
  SmallPlant plant([](const double* z, double* f) { f[0] = z[0] - z[0] * z[0] * z[0]; }, {0.5});
  plant.solve();
  CHECK(plant.memory.x[0] == Approx(1.0).epsilon(1e-11));
}

/// Flow by the root of the pressure: Newton's steps from far away leave the domain of the root.
TEST_CASE("steps_that_leave_the_domain_are_shortened") {
  SmallPlant plant([](const double* z, double* f) { f[0] = 0.01 - std::sqrt(z[0]); }, {100.0});
  plant.solve();
  CHECK(plant.memory.x[0] == Approx(1e-4).epsilon(1e-7));
}

/// A pump by h0 - r*q^0.131 against a higher reservoir: at rest its slope is without end, and so is what it shows.
TEST_CASE("flow_by_a_power_below_one_leaves_its_rest") {
  const Law pump = [](const double* z, double* f) {
    const double q = z[0] / 6091.0;  // kg/s
    f[0] = 4809134.4 - 4497713.8 * std::copysign(std::pow(std::fabs(q), 0.131058178531), q) - 2.6 * q * std::fabs(q);
  };
  SmallPlant plant(pump, {0.0});
  plant.memory.shows_rate = true;
  const StartResult result = plant.solve();
  const double q = plant.memory.x[0] / 6091.0;
  CHECK(4497713.8 * std::pow(q, 0.131058178531) + 2.6 * q * q == Approx(4809134.4).epsilon(1e-12));
  CHECK(q == Approx(1.66665).epsilon(1e-4));
  CHECK(result.still_moves.empty());
}

/// Three vessels in a row, closed: what flows out of one flows into the next. The sum stays, by its nonlinear flows
/// too.
TEST_CASE("closed_mass_keeps_its_start_value") {
  SmallPlant plant(
      [](const double* z, double* f) {
        const double a = (z[0] - z[1]) * std::abs(z[0] - z[1]) + 0.1 * (z[0] - z[1]), b = 1e-6 * (z[1] - z[2]);
        f[0] = -a, f[1] = a - b, f[2] = b;
      },
      {3.0, 1.0, 0.5});
  const StartResult result = plant.solve();
  for (std::size_t k = 0; k < 3; ++k) CHECK(plant.memory.x[k] == Approx(1.5).epsilon(1e-9));
  CHECK(std::abs(plant.memory.x[0] + plant.memory.x[1] + plant.memory.x[2] - 4.5) <= 1e-14);
  REQUIRE(result.invariants.size() == 1);
  CHECK(result.invariants[0] == "control.a.x + control.b.x + control.c.x");
}

/// Two bodies that radiate to each other, of which one loses next to nothing to its surroundings. A third state, which
/// they hardly act on, asks for steps so large that the fourth power hides the loss: their heat is not conserved.
TEST_CASE("a_loss_beside_a_fourth_power_is_no_conserved_sum") {
  SmallPlant plant(
      [](const double* z, double* f) {
        const auto fourth = [](double t) { return t * t * t * t; };
        const double radiates = 5.67e-8 * (fourth(z[0]) - fourth(z[1]));
        f[0] = -radiates - 1e-8 * (z[0] - 320.0), f[1] = radiates, f[2] = 1e6 * (5.0 - z[2]) + 1e-7 * z[0];
      },
      {400.0, 300.0, 0.0});
  const StartResult result = plant.solve();
  CHECK(result.invariants.empty());
  CHECK(plant.memory.x[0] == Approx(320.0).epsilon(1e-6));
  CHECK(plant.memory.x[1] == Approx(320.0).epsilon(1e-6));
}

TEST_CASE("fixed_state_keeps_its_start_value_and_may_move_on") {
  SmallPlant plant([](const double* z, double* f) { f[0] = z[1], f[1] = 2.0 - z[1]; }, {7.0, 0.0}, "heun", {0});
  const StartResult result = plant.solve();
  CHECK(plant.memory.x[0] == 7.0);
  CHECK(plant.memory.x[1] == Approx(2.0).epsilon(1e-12));
  CHECK(result.fixed == std::vector<std::string>{"control.a.x"});
}

TEST_CASE("plant_without_steady_state_names_what_moves") {
  SmallPlant plant([](const double* z, double* f) { f[0] = 0.25, f[1] = -z[1]; }, {1.0, 1.0});
  CHECK_THROWS_WITH(plant.solve(), Catch::Contains("control.a.x: 0.25 m/s") && !Catch::Contains("control.b.x"));
}

/// Nothing but a drift that cannot be seen in a second: said so.
TEST_CASE("drift_that_hardly_moves_is_nearly_steady") {
  SmallPlant plant([](const double* z, double* f) { f[0] = 1e-8, f[1] = 3.0 - z[1]; }, {1.0, 1.0});
  CHECK_THROWS(plant.solve());  // without bound: not nearly steady, however slow
  // a kink at the steady state: flow by the sign of what drives it, with a rest that decays slowly
  SmallPlant kink([](const double* z,
                     double* f) { f[0] = z[0] > 1.0 ? -1e-7 * (2.0 + z[0]) : 1e-7 * (4.0 - z[0]), f[1] = 3.0 - z[1]; },
                  {1.5, 1.0});
  const StartResult result = kink.solve();
  CHECK(result.still_moves == "control.a.x");
  CHECK(result.still_moves_per_s < 1e-6);
  CHECK(kink.memory.x[0] == Approx(1.0).margin(1e-3));
  CHECK(kink.memory.x[1] == Approx(3.0).epsilon(1e-9));
}

/// Control blocks: a rate limiter far from its goal, a counter, a block that follows the limiter.
TEST_CASE("blocks_reach_their_fixed_point_or_keep_their_start") {
  SmallPlant plant(
      [](const double* z, double* f) {
        f[0] = std::min(std::max(8.0 - z[0], -0.01), 0.01) / 1e-3;
        f[1] = 1.0 / 1e-3;
        f[2] = 0.2 * (z[0] - z[2]) / 1e-3;
      },
      {0.0, 0.0, 1.0}, "discrete");
  const StartResult result = plant.solve();
  CHECK(plant.memory.x[0] == Approx(8.0).epsilon(1e-12));
  CHECK(plant.memory.x[1] == 0.0);
  CHECK(plant.memory.x[2] == Approx(8.0).epsilon(1e-12));
  CHECK(result.blocks_kept == std::vector<std::string>{"control.b"});
}

/// A latch is left by its condition only: nothing to solve, nothing to report as a conserved sum.
TEST_CASE("block_that_holds_stays") {
  SmallPlant plant([](const double* z, double* f) { f[0] = 0.0, f[1] = (3.0 - z[1]) / 1e-3; }, {1.0, 0.0}, "discrete");
  const StartResult result = plant.solve();
  CHECK(plant.memory.x[0] == 1.0);
  CHECK(plant.memory.x[1] == Approx(3.0).epsilon(1e-12));
  CHECK(result.invariants.empty());
}

/// Two subsystems that exchange heat: both end at the mean of their start temperatures, weighted by capacity.
TEST_CASE("coupled_subsystems_share_an_invariant") {
  for (const bool first_leads : {true, false}) {
    test::TwoBodies<> bodies({.first_runs_first = first_leads});
    const PlantDescription plant = bodies.description();
    Exchanges exchanges(plant, {});
    REQUIRE(exchanges.settle() == -1);
    const StartResult result = find_steady_state(plant);
    const double mean = (2.0 * 400.0 + 300.0) / 3.0;
    CHECK(bodies.memory.first.x[0] == Approx(mean).epsilon(1e-13));
    CHECK(bodies.memory.second.x[0] == Approx(mean).epsilon(1e-13));
    CHECK(std::abs(bodies.memory.first_outputs[1]) < 1e-10);
    CHECK(bodies.memory.second_inputs[0].c0 == bodies.memory.first_outputs[1]);
    REQUIRE(result.invariants.size() == 1);
  }
}

TEST_CASE("heated_closed_box_has_no_steady_state") {
  test::TwoBodies<> bodies;
  const PlantDescription plant = bodies.description();
  bodies.memory.heater = 10.0;
  Exchanges exchanges(plant, {});
  exchanges.settle();
  CHECK_THROWS_WITH(find_steady_state(plant), Catch::Contains("second.t") && Catch::Contains("first.t"));
}

TEST_CASE("same_start_gives_the_same_bits") {
  const auto solve = [] {
    test::TwoBodies<> bodies;
    const PlantDescription plant = bodies.description();
    Exchanges exchanges(plant, {});
    exchanges.settle();
    static_cast<void>(find_steady_state(plant));
    return bodies.memory.first.x[0];
  };
  CHECK(solve() == solve());
}

}  // namespace
}  // namespace takt
