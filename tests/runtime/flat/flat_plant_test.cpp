#include "runtime/flat/flat_plant.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <utility>
#include <vector>

using namespace takt::flat;

namespace {

// A tank that a valve fills: x' = q, 0 = q - (open ? u : -gain*x); the valve closes where x > high, opens where x < 1.
// Every 10 ms a block gives high = 2 + steps, and counts steps.
enum : Place { x, q, time_, u, high, steps, open, gain, indicator, x_rate, points };

void rows(const double* p, double* r) noexcept {
  r[0] = p[q];
  r[1] = p[q] - (p[open] > 0.5 ? p[u] : -p[gain] * p[x]);
}
void row_slopes(const double* p, double* r) noexcept {
  r[0] = 1.0;
  r[1] = p[open] > 0.5 ? 0.0 : p[gain];
  r[2] = 1.0;
  r[3] = p[open] > 0.5 ? -1.0 : 0.0;
}
void start(const double* p, double* r) noexcept {
  r[0] = p[x] - 1.5;
  double both[2];
  rows(p, both);
  r[1] = both[1];
}
void start_slopes(const double* p, double* r) noexcept {
  r[0] = 1.0;
  r[1] = p[open] > 0.5 ? 0.0 : p[gain];
  r[2] = 1.0;
}
void variables(const double* p, double* r) noexcept {
  r[0] = (p[open] > 0.5 ? p[x] - p[high] : 1.0 - p[x]) - FlatPlant::threshold;
}
void variable_slopes(const double* p, double* r) noexcept { r[0] = p[open] > 0.5 ? 1.0 : -1.0; }
void guesses(const double*, double* r) noexcept { r[0] = r[1] = std::nan(""); }
double next_high(const double* p) noexcept { return 2.0 + p[steps]; }
double next_steps(const double* p) noexcept { return p[steps] + 1.0; }
double zero(const double*) noexcept { return 0.0; }
double one(const double*) noexcept { return 1.0; }

constexpr std::array<const char*, points> paths{"x",     "q",    "time", "u",         "high",
                                                "steps", "open", "gain", "indicator", "der(x)"};
constexpr std::array<Role, points> roles{Role::computed, Role::computed, Role::computed, Role::input,
                                         Role::computed, Role::computed, Role::computed, Role::tunable,
                                         Role::computed, Role::computed};
constexpr std::array<double, points> values{0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0};
constexpr std::array<double, 2> usual{1e-3, 1e-3}, turns{0.015, 0.5};
constexpr std::array<std::uint32_t, 2> units{0, 1}, one_block{0, 1};
constexpr std::array<std::uint32_t, 1> row_1{1}, only_q{q}, only_x{x}, row_0{0};
constexpr std::array<std::uint32_t, 3> row_start{0, 1, 4}, start_row_start{0, 1, 3}, two_blocks{0, 1, 2};
constexpr std::array<Place, 4> columns{q, x, q, u};
constexpr std::array<Place, 3> start_columns{x, x, q};
constexpr std::array<std::uint32_t, 2> all_rows{0, 1}, all_unknowns{x, q}, variable_start{0, 1};
const std::array<BlockOutput, 1> outputs{{{next_high, high, 10'000'000}}};
const std::array<BlockState, 1> block_states{{{next_steps, zero, steps, 10'000'000}}};
const std::array<Mode, 1> modes{{{one, open, indicator}}};

Description tank() {
  return {.time = time_,
          .points = points,
          .inputs = {u, 1},
          .parameters = {gain, 1},
          .variables = {indicator, 1},
          .rates = {x_rate, 1},
          .start = values,
          .role = roles,
          .path = paths,
          .usual = usual,
          .unit = units,
          .states = only_x,
          .rate_row = row_0,
          .rows = {rows, row_slopes, row_start, columns},
          .start_rows = {start, start_slopes, start_row_start, start_columns},
          .variable_rows = {variables, variable_slopes, variable_start, only_x},
          .algebra = {one_block, row_1, only_q},
          .start_blocks = {two_blocks, all_rows, all_unknowns},
          .guesses = guesses,
          .outputs = outputs,
          .block_states = block_states,
          .modes = modes,
          .turns_s = turns};
}

// x' = on, whose gate is closed before 10 ms and from 20 ms on: nothing but the time moves it.
enum : Place { timer_x, timer_time, on, timer_rate, timer_points };

void timer_rows(const double* p, double* r) noexcept { r[0] = p[on]; }
void timer_start(const double* p, double* r) noexcept { r[0] = p[timer_x]; }
void one_slope(const double*, double* r) noexcept { r[0] = 1.0; }
void no_values(const double*, double*) noexcept {}
void no_guess(const double*, double* r) noexcept { r[0] = std::nan(""); }
double by_time(const double* p) noexcept { return p[timer_time] < 0.01 || p[timer_time] >= 0.02 ? 1.0 : 0.0; }

constexpr std::array<const char*, timer_points> timer_paths{"x", "time", "on", "der(x)"};
constexpr std::array<Role, timer_points> timer_roles{Role::computed, Role::computed, Role::computed, Role::computed};
constexpr std::array<double, timer_points> timer_values{0.0, 0.0, 0.0, 0.0};
constexpr std::array<std::uint32_t, 1> nothing{0}, first_unit{0};
constexpr std::array<std::uint32_t, 2> no_slopes{0, 0};
constexpr std::array<double, 1> timer_usual{1e-3};
const std::array<Gate, 1> gates{{{by_time, on, true}}};

Description timer() {
  return {.time = timer_time,
          .points = timer_points,
          .inputs = {},
          .parameters = {},
          .variables = {},
          .rates = {timer_rate, 1},
          .start = timer_values,
          .role = timer_roles,
          .path = timer_paths,
          .usual = timer_usual,
          .unit = first_unit,
          .states = only_x,
          .rate_row = row_0,
          .rows = {timer_rows, no_values, no_slopes, {}},
          .start_rows = {timer_start, one_slope, variable_start, only_x},
          .variable_rows = {no_values, no_values, nothing, {}},
          .algebra = {nothing, {}, {}},
          .start_blocks = {one_block, row_0, only_x},
          .guesses = no_guess,
          .gates = gates};
}

}  // namespace

TEST_CASE("a flat plant starts where blocks, modes and equations agree") {
  const Description description = tank();
  FlatPlant plant(description);
  plant.give(u, 5.0);
  plant.start();
  CHECK(plant.value(x) == 1.5);
  CHECK(plant.value(high) == 2.0);
  CHECK(plant.value(steps) == 1.0);
  CHECK(plant.value(x_rate) == 5.0);
  const FlatPlant::Event event = plant.event();
  CHECK(!event.states_moved);
  CHECK(event.next_s == 0.01);
}

TEST_CASE("blocks run at their instants, which are time events, as are the turns of what follows time") {
  const Description description = tank();
  FlatPlant plant(description);
  plant.start();
  plant.set_time(0.005);
  CHECK(plant.event().next_s == 0.01);
  CHECK(plant.value(high) == 2.0);
  plant.set_time(0.01 - 1e-14);  // a sum of many steps
  CHECK(plant.event().next_s == 0.015);
  CHECK(plant.value(high) == 3.0);
  plant.set_time(0.015);
  CHECK(plant.event().next_s == 0.02);
  CHECK(plant.value(steps) == 2.0);
}

TEST_CASE("a mode turns at an event only, where its indicator is positive") {
  const Description description = tank();
  FlatPlant plant(description);
  plant.start();
  const double full = 2.1, level = 2.0 + 0.8e-9;
  plant.set_states(&full);
  CHECK(plant.value(indicator) > 0.0);
  CHECK(plant.value(open) == 1.0);
  plant.set_states(&level);  // an integrator finds the crossing, and rounding is on neither side
  (void)plant.event();
  CHECK(plant.value(open) == 0.0);
  CHECK(plant.value(x_rate) == Approx(-3.0 * level));
  CHECK(plant.value(indicator) < 0.0);
}

TEST_CASE("a gate that follows nothing but time starts, and its edges are time events") {
  const Description description = timer();
  FlatPlant plant(description);
  plant.start();
  double next = plant.event().next_s;
  CHECK(plant.value(timer_rate) == 1.0);
  std::vector<double> turns;  // where the rate is another one than before
  for (double rate = 1.0; next < 0.03;) {
    plant.set_time(next);
    const double at = next;
    next = plant.event().next_s;
    REQUIRE(next > at);
    if (std::exchange(rate, plant.value(timer_rate)) != plant.value(timer_rate)) turns.push_back(at);
  }
  REQUIRE(turns.size() == 2);
  CHECK(turns[0] == Approx(0.01).epsilon(1e-12));
  CHECK(turns[1] == Approx(0.02).epsilon(1e-12));
}

TEST_CASE("derivatives follow states and inputs, and their transpose agrees") {
  const Description description = tank();
  FlatPlant plant(description);
  plant.start();
  std::vector<double> moves(points, 0.0);
  moves[u] = 2.0;
  plant.differentiate(moves);
  CHECK(moves[x_rate] == 2.0);
  std::vector<double> weights(points, 0.0);
  weights[x_rate] = 0.5;
  weights[indicator] = 3.0;
  plant.differentiate_transposed(weights);
  CHECK(weights[u] == 0.5);
  CHECK(weights[x] == 3.0);
}

TEST_CASE("a state that is given back goes on with the same bits, also in another plant") {
  const Description description = tank();
  FlatPlant plant(description), other(description);
  plant.start();
  other.start();
  plant.set_time(0.01);
  (void)plant.event();
  const FlatState kept = plant.state();
  const auto on = [](FlatPlant& of) {
    const double level = 5.0;
    of.set_time(0.02);
    of.set_states(&level);
    (void)of.event();
    return std::vector<double>{of.value(x), of.value(high), of.value(steps), of.value(open), of.value(x_rate)};
  };
  const std::vector<double> first = on(plant);
  CHECK(first == std::vector<double>{5.0, 4.0, 3.0, 0.0, -15.0});
  REQUIRE(plant.restore(kept));
  REQUIRE(other.restore(kept));
  CHECK(on(plant) == first);
  CHECK(on(other) == first);
  CHECK(!plant.restore(FlatState{}));
}
