// A function too large for one: cut into pieces, the bits stay what plain code computes.

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "emitted_ladder/plant.hpp"
#include "runtime/coupling/exchange.hpp"
#include "tests/codegen/emit/sample_plant.hpp"

namespace {

/// The ladder's Heun steps written out by hand, in the same order of operations; divisions by parameters are products
/// with their reciprocals.
struct Ladder {
  std::vector<double> q;
  void derivative(const std::vector<double>& x, std::vector<double>& dx) const {
    constexpr double per_r = 1.0 / 1.0, per_c = 1.0 / 0.01;
    const auto current = [&](std::size_t k) { return ((k == 0 ? 1.0 : x[k - 1] * per_c) - x[k] * per_c) * per_r; };
    for (std::size_t k = 0; k < x.size(); ++k) dx[k] = k + 1 < x.size() ? current(k) - current(k + 1) : current(k);
  }
  void step(double h) {
    std::vector<double> k1(q.size()), k2(q.size()), moved(q.size());
    derivative(q, k1);
    for (std::size_t k = 0; k < q.size(); ++k) moved[k] = q[k] + h * k1[k];
    derivative(moved, k2);
    for (std::size_t k = 0; k < q.size(); ++k) q[k] += h / 2.0 * (k1[k] + k2[k]);
  }
};

}  // namespace

TEST_CASE("a function cut into pieces computes the bits of the whole") {
  const takt::PlantDescription& plant = takt_plant::describe();
  const takt::SubsystemDescription& electric = plant.subsystems[0];
  REQUIRE(electric.states == takt::codegen::sample::ladder_sections);
  takt::Exchanges exchanges(plant, {});
  exchanges.settle();
  Ladder ladder{std::vector<double>(electric.states, 0.0)};
  const double h = static_cast<double>(electric.step_ns) * 1e-9;
  for (int window = 0; window < 5; ++window) {
    exchanges.feed(0);
    electric.run(plant.memory + electric.offset,
                 {.start_ns = window * electric.period_ns,
                  .step_ns = electric.step_ns,
                  .steps = static_cast<std::int32_t>(electric.period_ns / electric.step_ns)});
    for (std::int64_t step = 0; step < electric.period_ns / electric.step_ns; ++step) ladder.step(h);
  }
  const auto* x = reinterpret_cast<const double*>(plant.memory + electric.states_offset);
  CHECK(x[0] > 0.0);
  CHECK(std::vector<double>(x, x + electric.states) == ladder.q);
}
