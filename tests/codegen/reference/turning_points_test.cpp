// Instants of functions of the time, found by intervals for reference runs and in closed forms for plants: each checks
// the other, and both a closed solution.
#include "codegen/reference/turning_points.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "codegen/dae/algebra/time_instants.hpp"

using namespace takt::codegen;

namespace {

struct Functions {
  Network network;
  SymbolId parameter{};
  Functions() {
    network.time = network.graph().make_symbol("time", "s");
    parameter = network.graph().make_symbol("p", "s");
    Parameter& fixed = network.parameters.emplace_back();
    fixed.symbol = parameter, fixed.value = 0.25;
  }
  Graph& g() { return network.graph(); }
  Expr t() { return g().use(network.time); }
  Expr c(double value) { return g().constant(value); }
  Expr after(double time) { return g().binary(Op::less_equal, c(time), t()); }

  [[nodiscard]] std::optional<double> known(SymbolId symbol) const {
    return symbol == parameter ? std::optional(0.25) : std::nullopt;
  }
  std::vector<double> by_intervals(Expr e) {
    const TurningPoints points(network, {e}, [this](SymbolId symbol) { return known(symbol); });
    std::vector<double> all;
    for (double from = 0.0; all.size() < 100;) {
      const double next = points.first(from, 1.0);
      if (std::isinf(next)) break;
      all.push_back(next);
      from = next + 1e-9;
    }
    return all;
  }
  /// After `time`; more than there are where the forms say so.
  double by_form(Expr e, double time) {
    const TimeInstants found = time_instants(network, {}, {e});
    CHECK(found.unknown.empty());
    return InstantsOf(g(), found, [&](SymbolId symbol) { return known(symbol).value(); }).after(time);
  }
  void agree(Expr e, const std::vector<double>& expected) {
    CAPTURE(g().text(e));
    const std::vector<double> found = by_intervals(e);
    REQUIRE(found.size() == expected.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
      CHECK(found[k] == Approx(expected[k]).margin(1e-12));
      CHECK(by_form(e, expected[k] - 1e-9) == Approx(expected[k]).margin(1e-12));
    }
  }
};

}  // namespace

TEST_CASE("comparisons, limits and tables turn at known instants") {
  Functions f;
  Graph& g = f.g();
  f.agree(f.after(0.3), {0.3});
  f.agree(g.binary(Op::less, f.t(), g.use(f.parameter)), {0.25});
  f.agree(g.binary(Op::min, g.mul(f.c(2.0), f.t()), f.c(1.2)), {0.6});
  f.agree(g.binary(Op::max, f.c(0.1), g.sub(f.c(1.0), g.mul(f.c(3.0), f.t()))), {0.3});
  f.agree(g.unary(Op::abs, g.sub(f.t(), f.c(0.125))), {0.125});
  f.agree(g.unary(Op::floor, g.mul(f.c(4.0), g.add(f.t(), f.c(0.1)))), {0.15, 0.4, 0.65, 0.9});
  f.agree(g.binary(Op::less, g.unary(Op::exp, f.t()), f.c(2.0)), {std::log(2.0)});
  f.agree(g.binary(Op::less, g.unary(Op::sqrt, f.t()), f.c(0.5)), {0.25});
  const TableId pulse =
      g.make_table({.name = "pulse", .x = {0.2, 0.20001, 0.20005, 0.20006, 9.0}, .y = {0.0, 5.0, 5.0, 0.0, 0.0}});
  f.agree(g.lookup(pulse, f.t()), {0.2, 0.20001, 0.20005, 0.20006});
  f.agree(g.lookup(pulse, g.sub(f.c(0.7), f.t())), {0.7 - 0.20006, 0.7 - 0.20005, 0.7 - 0.20001, 0.5});
}

TEST_CASE("what repeats is known for ever, and pulses shorter than any step are seen") {
  Functions f;
  Graph& g = f.g();
  const Expr saw = g.binary(Op::mod, g.add(f.t(), f.c(0.13)), f.c(0.5));
  f.agree(g.binary(Op::less, saw, f.c(1e-7)), {0.37, 0.3700001, 0.87, 0.8700001});
  const Expr wave = g.unary(Op::sin, g.mul(f.c(2.0 * std::numbers::pi * 2.0), f.t()));
  f.agree(g.binary(Op::less, wave, f.c(0.5)), {1.0 / 24, 5.0 / 24, 13.0 / 24, 17.0 / 24});
  const Expr dip = g.unary(Op::cos, g.mul(f.c(2.0 * std::numbers::pi), f.t()));
  f.agree(g.binary(Op::less, dip, f.c(0.0)), {0.25, 0.75});
}

TEST_CASE("nothing turns that does not, and what no form has is said") {
  Functions f;
  Graph& g = f.g();
  CHECK(f.by_intervals(g.unary(Op::sin, f.t())).empty());
  CHECK(f.by_intervals(g.binary(Op::less, f.t(), f.c(2.0))).empty());
  const Expr bent = g.binary(Op::less, g.add(g.mul(f.t(), g.mul(f.t(), f.t())), f.t()), f.c(0.5));
  const auto found = f.by_intervals(bent);
  REQUIRE(found.size() == 1);
  CHECK(found[0] * found[0] * found[0] + found[0] == Approx(0.5).epsilon(1e-12));
  CHECK(time_instants(f.network, {}, {bent}).unknown.size() == 1);
}
