#include "codegen/dae/algebra/linear_form.hpp"

#include <catch2/catch.hpp>

#include "tests/codegen/emit/sample_plant.hpp"

using namespace takt::codegen;

namespace {

constexpr auto nothing = [](SymbolId) { return false; };
constexpr auto anything = [](SymbolId) { return true; };

}  // namespace

TEST_CASE(
    "a resistance that follows a temperature is linear only where the temperature is held; what it dissipates is not") {
  sample::Plant plant = sample::make_plant();
  const Surrogate& electric = plant.dae.subsystems[0];
  const SymbolId wall = plant.network.graph().find_symbol("solid.wall.t").value();
  const LinearShape refused = linear_shape(plant.network, electric, nothing);
  REQUIRE(refused.problem);
  CHECK(refused.problem->driving);
  CHECK(refused.problem->symbol == wall);
  const LinearShape shape = linear_shape(plant.network, electric, anything);
  CHECK_FALSE(shape.problem);
  CHECK(shape.held == std::vector{wall});
  CHECK_FALSE(shape.linear_powers);
  CHECK_FALSE(shape.any_step);
}

TEST_CASE("a wall is linear, what heats it drives it, and any step will do") {
  sample::Plant plant = sample::make_plant();
  Graph& graph = plant.network.graph();
  const Surrogate& solid = plant.dae.subsystems[1];
  const LinearShape shape = linear_shape(plant.network, solid, nothing);
  CHECK_FALSE(shape.problem);
  CHECK(shape.any_step);
  CHECK(shape.largest_block == 1);
  const Expr heat = graph.use(graph.find_symbol("solid.heat.h").value()),
             t = graph.use(graph.find_symbol("solid.wall.t").value());
  const LinearForm form = linear_form(plant.network, solid, {heat, t, graph.mul(t, t)}, {}, [](SymbolId) { return 1; });
  CHECK(form.rates.empty());  // the sample's wall gives nothing away
  REQUIRE(form.rate_driving.size() == 1);
  CHECK(form.rate_driving[0].value == heat);
  CHECK(form.linear == std::vector<bool>{true, true, false});
  REQUIRE(form.integrand_driving.size() == 1);
  CHECK(form.integrand_driving[0].row == 0);
  REQUIRE(form.integrands.size() == 1);
  CHECK(form.integrands[0].row == 1);
  CHECK(form.points == 2);
}

TEST_CASE("choices, limits and signs of states are not linear, however flat their derivatives") {
  sample::Plant plant = sample::make_plant();
  Graph& graph = plant.network.graph();
  Surrogate solid = plant.dae.subsystems[1];
  const Expr e = graph.use(solid.states[0].symbol), heat = graph.use(graph.find_symbol("solid.heat.h").value());
  const auto is_linear = [&](Expr rate) {
    solid.states[0].derivative = rate;
    return !linear_shape(plant.network, solid, nothing).problem;
  };
  CHECK(is_linear(graph.sub(graph.binary(Op::max, heat, graph.zero()), e)));
  CHECK(is_linear(graph.select(graph.binary(Op::less, heat, graph.one()), heat, graph.zero())));
  CHECK_FALSE(is_linear(graph.binary(Op::max, e, graph.zero())));
  CHECK_FALSE(is_linear(graph.unary(Op::sign, e)));
  CHECK_FALSE(is_linear(graph.unary(Op::floor, e)));
  CHECK_FALSE(is_linear(graph.select(graph.binary(Op::less, e, graph.one()), heat, graph.zero())));
  CHECK_FALSE(is_linear(graph.div(heat, e)));
  CHECK_FALSE(is_linear(graph.mul(heat, e)));
  CHECK_FALSE(is_linear(graph.select(graph.binary(Op::less, heat, graph.one()), e, graph.zero())));
}
