#include <catch2/catch.hpp>
#include <cmath>

#include "codegen/stability/linearise.hpp"
#include "tests/codegen/emit/sample_plant.hpp"

using namespace takt::codegen;

TEST_CASE("derivatives go through a Newton block by the theorem of implicit functions") {
  Graph graph;
  const SymbolId z = graph.make_symbol("z", "1"), i = graph.make_symbol("i", "1");
  const Expr zz = graph.use(z), ii = graph.use(i);
  Surrogate surrogate;  // i + i^3 = z, z' = -i*z
  NewtonBlock block;
  block.unknowns = {i};
  block.guesses = {graph.zero()};
  const Expr residual = graph.sub(graph.add(ii, graph.mul(ii, graph.mul(ii, ii))), zz);
  block.residuals = {residual};
  block.steps = {graph.div(residual, graph.differentiate(residual, i))};
  surrogate.algebra.push_back({.kind = AlgebraicStep::Kind::newton, .assignment = {}, .newton = block});
  surrogate.states.push_back({.symbol = z, .derivative = graph.neg(graph.mul(ii, zz)), .start = graph.one()});
  Program program(graph);
  program.add(surrogate);
  SymbolValues values(graph.symbol_count(), 0.0);
  values[0] = 2.0;
  program.run(values);
  CHECK(values[1] == Approx(1.0).epsilon(1e-14));
  CHECK(program.results()[0] == Approx(-2.0).epsilon(1e-14));
  Slopes slopes = program.slopes({z});
  // d(-i z)/dz = -i - z/(1 + 3 i^2)
  CHECK(jacobian(slopes, 1)[0][0] == Approx(-1.5).epsilon(1e-13));
}

TEST_CASE("the sample plant starts with consistent couplings and its circuit has the mode -1/(r c)") {
  const sample::Plant plant = sample::make_plant();
  const std::vector<Spectrum> spectra = linearise(plant.network, plant.dae);
  REQUIRE(spectra.size() == plant.dae.subsystems.size());
  for (std::size_t k = 0; k < spectra.size(); ++k) {
    CHECK(spectra[k].problem.empty());
    if (plant.dae.subsystems[k].name != "electric") continue;
    REQUIRE(spectra[k].values.size() == 1);
    CHECK(spectra[k].values[0].real() == Approx(-1.0 / (sample::resistance * sample::capacitance)));
  }
}

TEST_CASE("a ladder too large for a dense matrix has its largest eigenvalue found, and says so") {
  const sample::Plant plant = sample::make_ladder_plant(400);
  const std::vector<Spectrum> spectra = linearise(plant.network, plant.dae);
  REQUIRE_FALSE(spectra[0].values.empty());
  CHECK_FALSE(spectra[0].complete);
  const sample::Plant small = sample::make_ladder_plant(100);
  const std::vector<Spectrum> dense = linearise(small.network, small.dae);
  CHECK(dense[0].complete);
  CHECK(std::abs(spectra[0].values[0]) == Approx(std::abs(dense[0].values[0])).epsilon(0.01));
}

TEST_CASE("a law that is odd by its sign has the slope of its right side at rest") {
  Graph graph;
  const SymbolId q = graph.make_symbol("q", "1");
  const Expr x = graph.use(q), size = graph.unary(Op::abs, x);
  Surrogate surrogate;  // q' = -sign(q)*(2*|q| + q^2)
  surrogate.states.push_back(
      {.symbol = q,
       .derivative = graph.neg(
           graph.mul(graph.unary(Op::sign, x), graph.add(graph.mul(graph.constant(2.0), size), graph.mul(size, size)))),
       .start = graph.zero()});
  Program program(graph);
  program.add(surrogate);
  SymbolValues values(graph.symbol_count(), 0.0);
  program.run(values);
  Slopes slopes = program.slopes({q});
  CHECK(jacobian(slopes, 1)[0][0] == -2.0);
}
