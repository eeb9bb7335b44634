#include "codegen/dae/algebra/sorting.hpp"

#include <catch2/catch.hpp>

#include "codegen/dae/algebra/magnitude.hpp"

using namespace takt::codegen;

namespace {

struct Fixture {
  Graph graph;
  EquationSystem system;
  Diagnostics diagnostics;
  SymbolId unknown(const std::string& name) {
    const SymbolId symbol = graph.make_symbol(name, "1");
    system.unknowns.push_back(symbol);
    return symbol;
  }
  Expr use(SymbolId symbol) { return graph.use(symbol); }
  void define(SymbolId symbol, Expr value) { system.equations.push_back({symbol, value, {}, std::nullopt}); }
  void require(Expr zero) { system.equations.push_back({std::nullopt, zero, {}, std::nullopt}); }
  auto sort() { return sort_equations(graph, system, "test", diagnostics); }
};

}  // namespace

TEST_CASE("chain_is_sorted_whatever_the_order_of_its_equations") {
  Fixture f;
  const SymbolId a = f.unknown("a"), b = f.unknown("b"), c = f.unknown("c");
  f.define(c, f.graph.mul(f.use(b), f.graph.constant(3)));
  f.define(b, f.graph.add(f.use(a), f.graph.one()));
  f.define(a, f.graph.constant(2));
  const auto sorted = f.sort();
  REQUIRE(sorted);
  REQUIRE(sorted->early.size() == 3);
  CHECK(sorted->early[0].assignment.symbol == a);
  CHECK(sorted->early[1].assignment.symbol == b);
  CHECK(sorted->early[2].assignment.symbol == c);
}

TEST_CASE("linear_loop_is_eliminated_without_newton") {
  Fixture f;
  const SymbolId a = f.unknown("a"), b = f.unknown("b");
  f.define(a, f.graph.add(f.graph.one(), f.graph.mul(f.graph.constant(0.5), f.use(b))));
  f.define(b, f.graph.mul(f.graph.constant(0.5), f.use(a)));
  const auto sorted = f.sort();
  REQUIRE(sorted);
  std::unordered_map<SymbolId, double> values;
  for (const AlgebraicStep& step : sorted->early) {
    REQUIRE(step.kind == AlgebraicStep::Kind::assignment);
    values[step.assignment.symbol] = f.graph.evaluate(step.assignment.value, [&](SymbolId s) { return values.at(s); });
  }
  CHECK(values.at(a) == Approx(4.0 / 3.0));
  CHECK(values.at(b) == Approx(2.0 / 3.0));
}

TEST_CASE("nonlinear_equation_becomes_a_newton_block_that_converges") {
  Fixture f;
  const SymbolId x = f.unknown("x");
  f.system.guesses[x] = f.graph.one();
  f.require(f.graph.sub(f.graph.mul(f.use(x), f.graph.mul(f.use(x), f.use(x))), f.graph.constant(8)));
  const auto sorted = f.sort();
  REQUIRE(sorted);
  REQUIRE(sorted->early.size() == 1);
  REQUIRE(sorted->early[0].kind == AlgebraicStep::Kind::newton);
  const NewtonBlock& block = sorted->early[0].newton;
  double value = f.graph.evaluate(block.guesses[0], [](SymbolId) { return 0.0; });
  for (int k = 0; k < 20; ++k) value -= f.graph.evaluate(block.steps[0], [&](SymbolId) { return value; });
  CHECK(value == Approx(2.0));
}

/// Fibonacci's numbers: the ways through the sums are as many as what they add up to.
TEST_CASE("sums_that_share_sums_are_measured_once") {
  Graph graph;
  const SymbolId x = graph.make_symbol("x", "1"), y = graph.make_symbol("y", "1");
  Expr before = graph.use(x), sum = graph.use(y);
  for (int k = 0; k < 70; ++k) before = std::exchange(sum, graph.add(sum, before));
  const Expr size = magnitude(graph, graph.mul(graph.use(x), sum));
  CHECK(graph.evaluate(size, [](SymbolId) { return 1.0; }) == Approx(498454011879264.0).epsilon(1e-12));
  CHECK(graph.size() < 1000);
}

TEST_CASE("undetermined_unknown_is_named") {
  Fixture f;
  const SymbolId a = f.unknown("first"), b = f.unknown("second");
  (void)b;
  f.define(a, f.graph.one());
  f.require(f.graph.sub(f.use(a), f.graph.constant(2)));
  CHECK_FALSE(f.sort());
  REQUIRE(f.diagnostics.error_count() == 1);
  CHECK(f.diagnostics.all().front().code == "T010");
  CHECK(f.diagnostics.all().front().message.find("second") != std::string::npos);
}

TEST_CASE("what_hangs_on_a_time_derivative_comes_late") {
  Fixture f;
  const SymbolId rate = f.unknown("rate"), uses_it = f.unknown("uses_it"), free = f.unknown("free");
  f.system.differentiated = {rate};
  f.define(rate, f.graph.zero());
  f.define(uses_it, f.graph.add(f.use(rate), f.graph.one()));
  f.define(free, f.graph.one());
  const auto sorted = f.sort();
  REQUIRE(sorted);
  REQUIRE(sorted->late.size() == 1);
  CHECK(sorted->late[0].assignment.symbol == uses_it);
}
