// Derivatives against central differences: error of the difference is O(h^2 f''') + O(eps |f| / h); a point is judged
// where two step sizes agree, which leaves out kinks (min, max, abs, table points) next to it.

#include <catch2/catch.hpp>
#include <cmath>

#include "random_expression.hpp"

using namespace takt::codegen;

namespace {

struct Slopes {
  double coarse, fine;
};

Slopes central_differences(const Graph& g, Expr e, std::vector<double> at, std::size_t symbol) {
  const double centre = at[symbol];
  const auto slope = [&](double h) {
    const auto value = [&](double x) {
      at[symbol] = x;
      return g.evaluate(e, [&](SymbolId id) { return at[static_cast<std::size_t>(id)]; });
    };
    return (value(centre + h) - value(centre - h)) / (2.0 * h);
  };
  return {slope(1e-4), slope(1e-5)};
}

}  // namespace

TEST_CASE("derivatives_agree_with_central_differences_on_random_expressions") {
  testing::RandomExpressions source(42);
  int judged = 0, skipped = 0;
  for (int round = 0; round < 4000; ++round) {
    const Expr e = source.make(5, true);
    std::vector<double> at;
    for (int k = 0; k < 4; ++k) at.push_back(source.uniform(-1.5, 1.5));
    for (std::size_t symbol = 0; symbol < 4; ++symbol) {
      const Expr derivative = source.graph.differentiate(e, source.symbols[symbol]);
      const double exact =
          source.graph.evaluate(derivative, [&](SymbolId id) { return at[static_cast<std::size_t>(id)]; });
      const Slopes difference = central_differences(source.graph, e, at, symbol);
      const double scale = 1.0 + std::fabs(difference.fine);
      if (!std::isfinite(difference.fine) || std::fabs(difference.coarse - difference.fine) > 1e-5 * scale) {
        ++skipped;
        continue;
      }
      ++judged;
      INFO(source.graph.text(e) << "  d/ds" << symbol << " = " << source.graph.text(derivative));
      CHECK(std::fabs(exact - difference.fine) <= 1e-4 * scale);
    }
  }
  CHECK(judged > 12'000);
  CHECK(skipped < 2'000);
}

TEST_CASE("every_function_has_its_derivative") {
  Graph g;
  const SymbolId x_id = g.make_symbol("x", "1"), y_id = g.make_symbol("y", "1");
  const Expr x = g.use(x_id), y = g.use(y_id);
  const double x0 = 0.4, y0 = 0.7, h = 1e-5;
  const TableId table = g.make_table({"t", {0.0, 0.3, 1.0}, {1.0, 2.0, 5.0}});
  const TableId map = g.make_table({"m", {0.0, 0.3, 1.0}, {1.0, 2.0, 5.0, 3.0, 0.0, 8.0}, {0.5, 1.5}});
  const SymbolId copy = g.make_symbol("copy", "1");  // the mixed derivative, as the slope of a slope
  const Expr slope = g.substitute(g.differentiate(g.lookup(map, g.use(copy), x), copy), {{copy, y}});
  std::vector<Expr> expressions{g.lookup(table, x),
                                g.lookup(map, x, y),
                                g.lookup(map, y, x),
                                g.lookup(map, g.mul(x, y), x),
                                slope,
                                g.select(g.binary(Op::less, x, y), g.mul(x, x), y)};
  for (const Op op : {Op::neg, Op::sqrt, Op::exp, Op::log, Op::sin, Op::cos, Op::tan, Op::asin, Op::acos, Op::atan,
                      Op::tanh, Op::abs}) {
    expressions.push_back(g.unary(op, g.mul(x, y)));
  }
  for (const Op op : {Op::add, Op::sub, Op::mul, Op::div, Op::pow, Op::atan2, Op::min, Op::max, Op::mod}) {
    expressions.push_back(g.binary(op, x, y));
    expressions.push_back(g.binary(op, y, x));
  }
  for (const Expr e : expressions) {
    const auto value = [&](double at) { return g.evaluate(e, [&](SymbolId id) { return id == x_id ? at : y0; }); };
    const double exact = g.evaluate(g.differentiate(e, x_id), [&](SymbolId id) { return id == x_id ? x0 : y0; });
    INFO(g.text(e));
    // h^2 f''' / 6 < 1e-9 here.
    CHECK(exact == Approx((value(x0 + h) - value(x0 - h)) / (2.0 * h)).epsilon(1e-8).margin(1e-8));
  }
  for (const Op op : {Op::sign, Op::floor}) CHECK(g.is_constant(g.differentiate(g.unary(op, x), x_id), 0.0));
  CHECK(g.is_constant(g.differentiate(y, x_id), 0.0));
  CHECK(g.is_constant(g.differentiate(x, x_id), 1.0));
}

TEST_CASE("at a kink the slope is that of its right side: what is laminar at rest is not without friction") {
  Graph g;
  const SymbolId x_id = g.make_symbol("x", "1"), y_id = g.make_symbol("y", "1");
  const Expr x = g.use(x_id), y = g.use(y_id), size = g.unary(Op::abs, x), sign = g.unary(Op::sign, x);
  const auto slope = [&](Expr e, SymbolId by, double at) {
    return g.evaluate(g.differentiate(e, by), [&](SymbolId id) { return id == x_id ? at : 0.0; });
  };
  const Expr odd = g.div(g.mul(g.mul(sign, g.constant(3.0)), g.add(g.mul(g.constant(2.0), size), g.mul(size, size))),
                         g.constant(5.0));
  CHECK(slope(odd, x_id, 0.0) == Approx(6.0 / 5.0));
  CHECK(slope(odd, x_id, -1.0) == Approx(3.0 * 4.0 / 5.0));  // as ever elsewhere
  CHECK(slope(g.mul(size, x), x_id, 0.0) == 0.0);
  CHECK(slope(g.neg(g.mul(sign, size)), x_id, 0.0) == -1.0);
  // min and max of the same take different sides: max - min = |x - y|
  const Expr span = g.sub(g.binary(Op::max, x, y), g.binary(Op::min, x, y));
  CHECK(slope(span, x_id, 0.0) == 1.0);
  CHECK(slope(span, y_id, 0.0) == -1.0);
}
