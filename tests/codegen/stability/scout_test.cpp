#include "codegen/stability/scout.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "codegen/stability/linearise.hpp"

using namespace takt::codegen;

namespace {

/// z' = rate(z, time), z = 0 at the start.
struct Plant {
  Network network;
  DaeResult dae;
  SymbolId z{};
  Plant() {
    network.time = network.graph().make_symbol("time", "s");
    z = network.graph().make_symbol("z", "1");
    dae.subsystems.emplace_back().name = "alone";
  }
  void moves(Expr rate) {
    dae.subsystems[0].states.push_back({.symbol = z, .derivative = rate, .start = network.graph().zero()});
  }
  Graph& graph() { return network.graph(); }
  Expr time() { return graph().use(network.time); }
};

}  // namespace

TEST_CASE("sources are known by their period, comparisons with the time by their instants") {
  Plant plant;
  Graph& g = plant.graph();
  const Expr wave = g.unary(Op::sin, g.mul(g.constant(2.0 * std::numbers::pi * 50.0), plant.time()));
  const Expr gate = g.select(g.binary(Op::less, g.constant(0.3), plant.time()), g.one(), g.zero());
  plant.moves(g.sub(g.mul(wave, gate), g.use(plant.z)));
  const TimeFunctions found = time_functions(plant.network, plant.dae, 1.0).at(0);
  REQUIRE(found.fastest);
  CHECK(found.fastest->period_s == Approx(0.02).epsilon(1e-6));
  REQUIRE(found.fastest_uncut);
  CHECK(found.fastest_uncut->period_s == Approx(0.02).epsilon(1e-6));
  REQUIRE(found.instants.size() == 1);
  CHECK(found.instants[0] == Approx(0.3).epsilon(1e-12));
}

TEST_CASE("what only says when something jumps has a period, but not between the cuts of steps") {
  Plant plant;
  Graph& g = plant.graph();
  const Expr saw = g.binary(Op::mod, plant.time(), g.constant(0.01));
  const Expr wave = g.unary(Op::sin, g.mul(g.constant(2.0 * std::numbers::pi * 200.0), plant.time()));
  const Expr square = g.select(g.binary(Op::less, g.zero(), wave), g.one(), g.zero());
  plant.moves(g.sub(g.add(saw, square), g.use(plant.z)));
  const TimeFunctions found = time_functions(plant.network, plant.dae, 1.0).at(0);
  REQUIRE(found.fastest);
  CHECK(found.fastest->period_s == Approx(0.005).epsilon(1e-6));
  CHECK_FALSE(found.fastest_uncut);
}

TEST_CASE("a sine of a state has no period of its own") {
  Plant plant;
  Graph& g = plant.graph();
  plant.moves(g.add(g.one(), g.unary(Op::sin, g.use(plant.z))));
  const TimeFunctions found = time_functions(plant.network, plant.dae, 1.0).at(0);
  CHECK_FALSE(found.fastest);
  CHECK(found.instants.empty());
}

TEST_CASE("a scout follows a plant through its stiffening and tells where it is stiffest") {
  // z' = 1 - exp(20 z) + 1: comes to rest at ln(2)/20, with the slope -40
  Plant plant;
  Graph& g = plant.graph();
  plant.moves(g.sub(g.constant(2.0), g.unary(Op::exp, g.mul(g.constant(20.0), g.use(plant.z)))));
  const Scouted found = scout({plant.network, plant.dae}, time_functions(plant.network, plant.dae, 1.0), 1.0);
  CHECK(found.problem.empty());
  CHECK(found.until_s == 1.0);
  REQUIRE_FALSE(found.path.rows.empty());
  CHECK(found.path.rows.back()[0] == Approx(std::log(2.0) / 20.0).epsilon(1e-3));
  CHECK(found.points.size() > 5);
  CHECK(std::is_sorted(found.points.begin(), found.points.end()));
  std::vector<Spectrum> spectra(1);
  spectra = linearise(plant.network, plant.dae);
  CHECK(spectra[0].values.at(0).real() == Approx(-20.0));
  linearise_ahead(spectra, {plant.network, plant.dae}, found.path, found.points);
  CHECK(spectra[0].values.at(0).real() == Approx(-40.0).epsilon(1e-2));
  CHECK(spectra[0].foreseen);
}

TEST_CASE("an escape in finite time ends the scout, which says so") {
  Plant plant;  // z' = 1 + z^2: tan(t)
  Graph& g = plant.graph();
  plant.moves(g.add(g.one(), g.mul(g.use(plant.z), g.use(plant.z))));
  const Scouted found = scout({plant.network, plant.dae}, time_functions(plant.network, plant.dae, 3.0), 3.0);
  CHECK_FALSE(found.problem.empty());
  CHECK(found.until_s == Approx(std::numbers::pi / 2.0).epsilon(1e-2));
}

namespace {

/// Of rate = function - z, over 1 s.
std::optional<TimeFunctions::Narrow> narrowest(Plant& plant, Expr function) {
  plant.moves(plant.graph().sub(function, plant.graph().use(plant.z)));
  return time_functions(plant.network, plant.dae, 1.0).at(0).narrowest;
}

/// (time - at)/width
Expr away(Plant& plant, double at, double width) {
  Graph& g = plant.graph();
  return g.div(g.sub(plant.time(), g.constant(at)), g.constant(width));
}

}  // namespace

TEST_CASE("smooth pulses are found wherever they are, with their width") {
  // of height 1, bent by -2/width^2 at their crest: as a sine of the amplitude 1/2 and the period pi*width
  constexpr double width = 1e-6, at = 0.4567;
  for (const int kind : {0, 1, 2}) {
    Plant plant;
    Graph& g = plant.graph();
    const Expr u = away(plant, at, width), square = kind == 2 ? g.mul(u, u) : g.binary(Op::pow, u, g.constant(2.0));
    const Expr bell = kind == 1 ? g.div(g.one(), g.add(g.one(), square)) : g.unary(Op::exp, g.neg(square));
    const auto found = narrowest(plant, g.add(g.constant(3.0), bell));
    CAPTURE(kind);
    REQUIRE(found);
    CHECK(found->at_s == Approx(at).margin(2.0 * width));
    CHECK(found->period_s > 0.7 * std::numbers::pi * width);
    CHECK(found->period_s < 2.2 * std::numbers::pi * width);
  }
}

TEST_CASE("steep steps, decays and powers of sines are narrow, too") {
  constexpr double width = 1e-5;
  Plant step, decay, wave;
  const auto steep = narrowest(step, step.graph().unary(Op::tanh, away(step, 0.7, width)));
  REQUIRE(steep);
  CHECK(steep->at_s == Approx(0.7).margin(5.0 * width));
  CHECK(steep->period_s < 20.0 * width);
  const auto dying = narrowest(decay, decay.graph().unary(Op::exp, decay.graph().neg(away(decay, 0.0, width))));
  REQUIRE(dying);
  CHECK(dying->at_s < 5.0 * width);
  CHECK(dying->period_s < 20.0 * width);
  Graph& g = wave.graph();
  const Expr sine = g.unary(Op::sin, g.mul(g.constant(2.0 * std::numbers::pi * 50.0), wave.time()));
  const auto peaked = narrowest(wave, g.binary(Op::pow, sine, g.constant(2000.0)));
  REQUIRE(peaked);
  const double period = 0.02 / std::sqrt(2.0 * 2000.0);  // bent by 2000*omega^2
  CHECK(peaked->period_s > 0.7 * period);
  CHECK(peaked->period_s < 2.2 * period);
}

TEST_CASE("a peak is found in a sum, and where it is a product of many") {
  Plant sum;
  Graph& g = sum.graph();
  const Expr wave = g.unary(Op::sin, g.mul(g.constant(2.0 * std::numbers::pi * 5.0), sum.time()));
  const Expr bell = g.unary(Op::exp, g.neg(g.binary(Op::pow, away(sum, 0.6, 1e-5), g.constant(2.0))));
  CHECK(narrowest(sum, g.mul(g.constant(0.5), g.sub(wave, g.mul(wave, bell)))));
  Plant product;
  Graph& h = product.graph();
  Expr power = h.unary(Op::sin, h.mul(h.constant(2.0 * std::numbers::pi), product.time()));
  for (int squared = 0; squared < 13; ++squared) power = h.mul(power, power);
  CHECK(narrowest(product, power));
}

TEST_CASE("a thousand products of combinations of one wave are looked at once") {
  Plant plant;  // each looked at by itself they take minutes
  Graph& g = plant.graph();
  Expr potential = g.unary(Op::sin, g.mul(g.constant(2.0 * std::numbers::pi * 50.0), plant.time())), sum = g.zero();
  for (int k = 1; k <= 1000; ++k) {
    potential = g.add(g.mul(g.constant(1.0 - 1e-3 * k), potential), g.constant(0.1 * k));
    sum = g.add(sum, g.mul(g.constant(1e-3 * k), g.mul(potential, potential)));
    plant.dae.subsystems[0].states.push_back({.symbol = g.make_symbol("z" + std::to_string(k), "1"),
                                              .derivative = g.mul(potential, sum),
                                              .start = g.zero()});
  }
  CHECK_FALSE(time_functions(plant.network, plant.dae, 1.0).at(0).narrowest);
}

TEST_CASE("what is straight between jumps and corners, slow, or a sine is not narrow") {
  const auto not_narrow = [](const auto& function) {
    Plant plant;
    const Expr e = function(plant, plant.graph());
    CAPTURE(plant.graph().text(e));
    CHECK_FALSE(narrowest(plant, e));
  };
  not_narrow([](Plant& p, Graph& g) {
    return g.unary(Op::sin, g.mul(g.constant(2.0 * std::numbers::pi * 5000.0), p.time()));
  });
  not_narrow([](Plant& p, Graph&) { return away(p, 0.3, 1e-9); });
  not_narrow([](Plant& p, Graph& g) {  // a ramp of 1 us
    return g.binary(Op::max, g.zero(), g.binary(Op::min, g.one(), away(p, 0.3, 1e-6)));
  });
  not_narrow([](Plant& p, Graph& g) {  // a pulse of 1 us
    const Expr after = g.binary(Op::less, g.constant(0.3), p.time()),
               before = g.binary(Op::less, p.time(), g.constant(0.300001));
    return g.binary(Op::logical_and, after, before);
  });
  not_narrow([](Plant& p, Graph& g) {
    const TableId pulse = g.make_table({.name = "p", .x = {0.2, 0.200001, 0.200002}, .y = {0.0, 5.0, 0.0}});
    return g.lookup(pulse, p.time());
  });
  not_narrow([](Plant& p, Graph& g) { return g.unary(Op::exp, g.neg(away(p, 0.0, 0.5))); });
}
