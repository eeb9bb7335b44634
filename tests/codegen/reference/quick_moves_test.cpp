// Where reference runs end their steps on the way through what moves quickly.
#include "codegen/reference/quick_moves.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

using namespace takt::codegen;

namespace {

struct Functions {
  Network network;
  Functions() { network.time = network.graph().make_symbol("time", "s"); }
  Graph& g() { return network.graph(); }
  Expr t() { return g().use(network.time); }
  Expr away(double at, double width) { return g().div(g().sub(t(), g().constant(at)), g().constant(width)); }

  /// Of a run over 1 s with steps of 1 ms at most.
  std::vector<double> stops(Expr e) {
    const QuickMoves moves(network, {e}, [](SymbolId) { return std::nullopt; }, {1.0, 1e-3});
    std::vector<double> all;
    for (double now = moves.next(0.0, 1.0); now < 1.0 && all.size() < 1000; now = moves.next(now, 1.0))
      all.push_back(now);
    return all;
  }
};

}  // namespace

TEST_CASE("steps end on the way through pulses and steep steps, and nowhere else") {
  Functions f;
  Graph& g = f.g();
  constexpr double at = 0.4567, width = 1e-6;
  const Expr u = f.away(at, width), square = g.binary(Op::pow, u, g.constant(2.0));
  for (const Expr e : {g.unary(Op::exp, g.neg(square)), g.div(g.one(), g.add(g.one(), square)), g.unary(Op::tanh, u)}) {
    CAPTURE(g.text(e));
    const std::vector<double> stops = f.stops(e);
    CHECK(stops.size() > 10);
    CHECK(stops.size() < 200);
    CHECK(std::is_sorted(stops.begin(), stops.end()));
    REQUIRE_FALSE(stops.empty());
    CHECK(stops.front() > at - 20.0 * width);
    CHECK(stops.front() < at - 0.5 * width);
    CHECK(stops.back() < at + 20.0 * width);
  }
}

TEST_CASE("what steps follow anyway ends none") {
  Functions f;
  Graph& g = f.g();
  const auto wave = [&](double frequency) {
    return g.unary(Op::sin, g.mul(g.constant(2.0 * std::numbers::pi * frequency), f.t()));
  };
  CHECK(f.stops(wave(50.0)).empty());
  CHECK(f.stops(wave(250.0)).size() <= 1);  // four steps a period; where it has looked enough at once, it stops
  CHECK(f.stops(g.binary(Op::less, g.constant(0.3), f.t())).empty());
  CHECK(f.stops(g.unary(Op::exp, g.neg(f.away(0.0, 0.3)))).empty());
  CHECK(f.stops(g.constant(2.0)).empty());
}
