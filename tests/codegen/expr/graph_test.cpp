#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "codegen/expr/expr.hpp"
#include "random_expression.hpp"

using namespace takt::codegen;

namespace {

struct Fixture {
  Graph g;
  SymbolId x_id = g.make_symbol("x", "1"), y_id = g.make_symbol("y", "1");
  Expr x = g.use(x_id), y = g.use(y_id);
  Expr c(double value) { return g.constant(value); }
};

}  // namespace

TEST_CASE("equal_expressions_are_the_same_node") {
  Fixture f;
  CHECK(f.g.add(f.x, f.y) == f.g.add(f.x, f.y));
  CHECK(f.g.add(f.x, f.y) == f.g.add(f.y, f.x));
  CHECK(f.g.mul(f.x, f.y) == f.g.mul(f.y, f.x));
  CHECK(f.g.sub(f.x, f.y) != f.g.sub(f.y, f.x));
  CHECK(f.g.constant(0.0) == f.g.constant(-0.0));
  CHECK(f.g.constant(std::nan("")) == f.g.constant(-std::nan("")));
  CHECK(f.g.use(f.x_id) == f.x);
}

TEST_CASE("symbols_are_found_by_path_and_made_once") {
  Fixture f;
  CHECK(f.g.find_symbol("y") == f.y_id);
  CHECK_FALSE(f.g.find_symbol("z").has_value());
  CHECK_THROWS_AS(f.g.make_symbol("x", "1"), std::logic_error);
  CHECK(f.g.symbol(f.x_id).path == "x");
}

TEST_CASE("neutral_elements_and_constants_fold") {
  Fixture f;
  Graph& g = f.g;
  CHECK(g.add(f.x, f.c(0)) == f.x);
  CHECK(g.sub(f.x, f.x) == f.c(0));
  CHECK(g.sub(f.c(0), f.x) == g.neg(f.x));
  CHECK(g.mul(f.c(1), f.x) == f.x);
  CHECK(g.mul(f.x, f.c(0)) == f.c(0));
  CHECK(g.mul(f.x, f.c(-1)) == g.neg(f.x));
  CHECK(g.neg(g.neg(f.x)) == f.x);
  CHECK(g.mul(g.neg(f.x), g.neg(f.y)) == g.mul(f.x, f.y));
  CHECK(g.add(f.x, g.neg(f.y)) == g.sub(f.x, f.y));
  CHECK(g.neg(g.sub(f.x, f.y)) == g.sub(f.y, f.x));
  CHECK(g.mul(f.c(2), g.mul(f.c(3), f.x)) == g.mul(f.c(6), f.x));
  CHECK(g.div(f.x, f.c(4)) == g.mul(f.c(0.25), f.x));
  CHECK(g.node(g.div(f.x, f.c(3))).op == Op::div);  // 1/3 is no double
  CHECK(g.div(f.c(0), f.x) == f.c(0));
  CHECK(g.binary(Op::pow, f.x, f.c(2)) == g.mul(f.x, f.x));
  CHECK(g.binary(Op::pow, f.x, f.c(0.5)) == g.unary(Op::sqrt, f.x));
  CHECK(g.binary(Op::pow, f.x, f.c(-1)) == g.div(f.c(1), f.x));
  CHECK(g.is_constant(g.unary(Op::sin, f.c(0.5)), std::sin(0.5)));
  CHECK(g.sub(g.add(f.x, f.y), f.x) == f.y);
}

TEST_CASE("choices_and_logic_fold") {
  Fixture f;
  Graph& g = f.g;
  const Expr less = g.binary(Op::less, f.x, f.y);
  CHECK(g.select(f.c(1), f.x, f.y) == f.x);
  CHECK(g.select(f.c(0), f.x, f.y) == f.y);
  CHECK(g.select(less, f.x, f.x) == f.x);
  CHECK(g.select(less, f.c(1), f.c(0)) == less);
  CHECK(g.select(g.unary(Op::logical_not, less), f.x, f.y) == g.select(less, f.y, f.x));
  CHECK(g.binary(Op::logical_and, less, f.c(1)) == less);
  CHECK(g.binary(Op::logical_and, f.c(0), less) == f.c(0));
  CHECK(g.binary(Op::logical_or, f.c(1), less) == f.c(1));
  CHECK(g.binary(Op::less, f.x, f.x) == f.c(0));
  CHECK(g.unary(Op::logical_not, g.unary(Op::logical_not, less)) == less);
  CHECK(g.binary(Op::logical_and, f.c(1), f.x) != f.x);  // a number is made 0 or 1
}

TEST_CASE("simplification_keeps_the_value") {
  // The same operations with and without simplification, which is kept off by hiding the leaves behind symbols.
  testing::RandomExpressions source(5);
  Graph& g = source.graph;
  for (int round = 0; round < 3000; ++round) {
    const Expr e = source.make(5, false);
    std::vector<double> values;
    for (int k = 0; k < 4; ++k) values.push_back(source.uniform(-2.0, 2.0));
    std::unordered_map<SymbolId, Expr> numbers;
    for (std::size_t k = 0; k < 4; ++k) numbers[source.symbols[k]] = g.constant(values[k]);
    const double direct = g.evaluate(e, [&](SymbolId id) { return values[static_cast<std::size_t>(id)]; });
    const Expr folded = g.substitute(e, numbers);
    REQUIRE(g.is_constant(folded));
    const double value = g.node(folded).value;
    if (std::isfinite(direct)) CHECK(value == Approx(direct).epsilon(1e-9).margin(1e-9));
  }
}

TEST_CASE("dependence_and_symbols_are_found") {
  Fixture f;
  const SymbolId z = f.g.make_symbol("z", "1");
  const Expr e = f.g.add(f.g.mul(f.x, f.x), f.g.unary(Op::sin, f.y));
  CHECK(f.g.depends_on(e, f.x_id));
  CHECK_FALSE(f.g.depends_on(e, z));
  CHECK_FALSE(f.g.depends_on(f.y, f.x_id));
  CHECK(f.g.symbols_of(e) == std::vector<SymbolId>{f.x_id, f.y_id});
  const std::vector<Expr> order = f.g.reachable({e});
  CHECK(order.back() == e);
  CHECK(std::is_sorted(order.begin(), order.end()));
}

TEST_CASE("substitution_is_simultaneous") {
  Fixture f;
  const Expr e = f.g.sub(f.x, f.g.mul(f.c(2), f.y));
  const Expr swapped = f.g.substitute(e, {{f.x_id, f.y}, {f.y_id, f.x}});
  CHECK(swapped == f.g.sub(f.y, f.g.mul(f.c(2), f.x)));
  CHECK(f.g.substitute(e, {}) == e);
}

TEST_CASE("linear_expressions_split_and_others_do_not") {
  Fixture f;
  Graph& g = f.g;
  Expr coefficient{}, rest{};
  // 3x - (x - y)/y + if(y < 1, x, 2)
  const Expr condition = g.binary(Op::less, f.y, f.c(1));
  const Expr e = g.add(g.sub(g.mul(f.c(3), f.x), g.div(g.sub(f.x, f.y), f.y)), g.select(condition, f.x, f.c(2)));
  REQUIRE(g.split_linear(e, f.x_id, coefficient, rest));
  CHECK_FALSE(g.depends_on(coefficient, f.x_id));
  CHECK_FALSE(g.depends_on(rest, f.x_id));
  for (const double y : {0.5, 2.0}) {
    const auto at = [&](double x) { return [x, y, &f](SymbolId id) { return id == f.x_id ? x : y; }; };
    const double c = g.evaluate(coefficient, at(0)), r = g.evaluate(rest, at(0));
    for (const double x : {-1.0, 0.0, 2.5}) CHECK(g.evaluate(e, at(x)) == Approx(c * x + r).epsilon(1e-14));
  }
  CHECK_FALSE(g.split_linear(g.mul(f.x, f.x), f.x_id, coefficient, rest));
  CHECK_FALSE(g.split_linear(g.unary(Op::sin, f.x), f.x_id, coefficient, rest));
  CHECK_FALSE(g.split_linear(g.div(f.y, f.x), f.x_id, coefficient, rest));
  REQUIRE(g.split_linear(f.y, f.x_id, coefficient, rest));
  CHECK(g.is_constant(coefficient, 0.0));
  CHECK(rest == f.y);
}

TEST_CASE("text_is_what_a_person_writes") {
  Fixture f;
  Graph& g = f.g;
  CHECK(g.text(g.mul(f.x, g.add(f.c(1), f.y))) == "x*(1 + y)");
  CHECK(g.text(g.sub(f.x, g.sub(f.y, f.c(1)))) == "x - (y - 1)");
  CHECK(g.text(g.div(f.x, g.mul(f.y, f.c(3)))) == "x/(3*y)");
  CHECK(g.text(g.unary(Op::sin, g.neg(f.x))) == "-sin(x)");
  CHECK(g.text(g.binary(Op::min, f.x, f.y)) == "min(x, y)");
  CHECK(g.text(g.select(g.binary(Op::less, f.x, f.y), f.x, f.c(0.5))) == "if(x < y, x, 0.5)");
}

TEST_CASE("a_million_nodes_and_a_chain_of_a_hundred_thousand_are_no_trouble") {
  Fixture f;
  Graph& g = f.g;
  Expr deep = f.x;
  for (int k = 0; k < 100'000; ++k) deep = g.unary(Op::sin, g.add(deep, f.y));
  std::vector<Expr> wide;
  for (int k = 0; k < 400'000; ++k) wide.push_back(g.mul(g.add(f.x, f.c(k + 2)), f.y));
  Expr sum = f.c(0);
  for (const Expr e : wide) sum = g.add(sum, e);
  CHECK(g.size() > 1'000'000);
  const auto values = [&](SymbolId id) { return id == f.x_id ? 1.0 : 2.0; };
  // sum of (1 + k + 2)*2 for k < 400000
  CHECK(g.evaluate(sum, values) == 2.0 * (400'000.0 * 3.0 + 400'000.0 * 399'999.0 / 2.0));
  CHECK(std::isfinite(g.evaluate(g.differentiate(deep, f.x_id), values)));
  CHECK(g.evaluate(g.differentiate(sum, f.x_id), values) == 800'000.0);
  CHECK_FALSE(g.text(deep).empty());
  const Expr moved = g.substitute(deep, {{f.x_id, f.y}});
  CHECK(g.depends_on(moved, f.y_id));
  CHECK_FALSE(g.depends_on(moved, f.x_id));
  // A DAG of 60 levels is 2^60 terms as a tree.
  Expr doubled = f.x;
  for (int k = 0; k < 60; ++k) doubled = g.mul(g.add(doubled, doubled), f.c(0.5));
  CHECK(g.evaluate(doubled, values) == 1.0);
}
