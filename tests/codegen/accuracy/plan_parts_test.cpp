// What the search for a plan asks of a plant beside its trials.
#include <catch2/catch.hpp>

#include "codegen/accuracy/fast_subsystems.hpp"
#include "codegen/accuracy/later_instants.hpp"
#include "tests/codegen/accuracy/circuits_in_one_group.hpp"

using namespace takt;
using namespace takt::codegen;
using tests::Plant;

TEST_CASE("fast circuits: by their modes, and by their domain", "[accuracy]") {
  Plant plant(4);
  const auto is = [&](std::size_t k, CircuitDomain domain, double eigenvalue) {
    plant.plan.subsystems[k].domain = domain;
    plant.plan.subsystems[k].stability.known = true;
    plant.plan.subsystems[k].stability.eigenvalue = eigenvalue;
  };
  is(0, CircuitDomain::electric, -3000.0);
  is(1, CircuitDomain::mechanical, 0.0);
  is(2, CircuitDomain::solid, -101.0);
  is(3, CircuitDomain::solid, -99.0);
  using Sets = std::vector<std::vector<std::size_t>>;
  CHECK(fast_subsystems(plant.plan) == Sets{{0, 2}, {0, 1, 2}});
  plant.plan.subsystems[3].stability.known = false;  // it may be fast
  CHECK(fast_subsystems(plant.plan) == Sets{{0, 2, 3}});
  is(3, CircuitDomain::solid, -3000.0);
  is(1, CircuitDomain::mechanical, -3000.0);
  CHECK(fast_subsystems(plant.plan).empty());  // all of them
  is(1, CircuitDomain::mechanical, 0.0);
  plant.plan.groups.push_back(plant.plan.groups.front());
  CHECK(fast_subsystems(plant.plan).empty());  // it has groups
}

TEST_CASE("what trials do not reach is known by its instants, but for what comes again and was met") {
  Plant plant(1);
  Graph& g = plant.network.graph();
  plant.network.time = g.make_symbol("time", "s");
  const Expr time = g.use(plant.network.time);
  const auto from = [&](double at) { return g.binary(Op::less, g.constant(at), time); };
  Expr rate = g.add(g.add(from(0.3), from(0.7)), g.add(from(1.5), from(2.5)));
  for (const double period : {0.1, 0.6}) rate = g.add(rate, g.binary(Op::mod, time, g.constant(period)));
  plant.dae.subsystems[0].states.push_back({.symbol = g.make_symbol("z", "1"), .derivative = rate, .start = g.zero()});
  const std::vector<double> later = later_instants({plant.network, plant.dae}, 0.5, 2.0);
  REQUIRE(later.size() == 3);
  CHECK(later[0] == Approx(0.6));
  CHECK(later[1] == Approx(0.7));
  CHECK(later[2] == Approx(1.5));
  CHECK(later_instants({plant.network, plant.dae}, 0.5, 0.55).empty());
}
