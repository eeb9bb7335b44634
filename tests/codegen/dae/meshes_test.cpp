// Grids whose storages are tied to each other, larger and smaller than what is solved over tables: what their
// programs compute satisfies every law of the network, at random states, and their derivatives are right.

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "tests/codegen/dae/solved_circuit.hpp"
#include "tests/runtime/support/places.hpp"

using namespace takt::codegen;
using namespace takt::codegen::testing;

namespace {

struct Grid {
  std::size_t rows = 0;
  const char* kind = "";
};

std::string number(double value) { return std::to_string(value); }

std::string label(char letter, std::size_t index) {
  std::string name(1, letter);
  name += std::to_string(index);
  return name;
}

std::string named(char letter, std::size_t index) {
  std::string name(1, '"');
  name += label(letter, index);
  name += '"';
  return name;
}

/// An element between two nodes of the grid.
std::string link(const Grid& grid, const std::string& name, const std::string& ends, std::mt19937_64& random) {
  std::uniform_real_distribution<double> some(1.0, 2.0);
  if (grid.kind == std::string("pipes"))
    return name + " = { is = \"pipe_law\", at = [" + ends + "], c1 = \"" + number(2000.0 * some(random)) +
           " 1/m\", c2 = \"" + number(5.0 * some(random)) + " 1/kg/m\" }\n";
  if (grid.kind == std::string("capacitors"))  // their loops are closed by the grid itself
    return name + " = { is = \"capacitor\", at = [" + ends + "], c = \"" + number(some(random)) + " mF\" }\n" + name +
           "r = { is = \"resistor\", at = [" + ends + "], r = \"" + number(some(random)) + " Ohm\" }\n";
  return name + " = { is = \"inductor\", at = [" + ends.substr(0, ends.find(',')) + ", \"" + name + "m\"], l = \"" +
         number(some(random)) + " mH\" }\n" + name + "r = { is = \"resistor\", at = [\"" + name + "m\"" +
         ends.substr(ends.find(',')) + "], r = \"" + number(some(random)) + " Ohm\" }\n";
}

std::string plant(const Grid& grid) {
  std::mt19937_64 random(grid.rows);
  const bool pipes = grid.kind == std::string("pipes");
  std::string text = "[plant]\ntitle = \"grid\"\n";
  text += pipes ? "[medium.m]\ndoc = \"c\"\ncp = \"4000 J/kg/K\"\nrho = \"1000 kg/m^3\"\n[fluid]\nmedium = \"m\"\n"
                  "supply = { is = \"reservoir\", p = \"5 bar\" }\n"
                  "inlet = { is = \"pipe_law\", at = [\"supply\", \"n0\"], c1 = \"1e3 1/m\", c2 = \"1 1/kg/m\" }\n"
                : "[electric]\nsource = { is = \"current_source\", at = [\"gnd\", \"n0\"], i = \"1 A\" }\n";
  const std::size_t last = grid.rows * grid.rows - 1;
  for (std::size_t node = 0; node <= last; ++node) {
    const std::string from = named('n', node) + ", ";
    if ((node + 1) % grid.rows != 0) text += link(grid, label('h', node), from + named('n', node + 1), random);
    if (node + grid.rows <= last) text += link(grid, label('v', node), from + named('n', node + grid.rows), random);
  }
  const std::string end = named('n', last);
  return text + (pipes ? "outlet = { is = \"demand\", at = [" + end + "], flow = \"1 kg/s\" }\n"
                       : "load = { is = \"resistor\", at = [" + end + ", \"gnd\"], r = \"1 Ohm\" }\n");
}

}  // namespace

TEST_CASE("grids_of_tied_storages_satisfy_every_law_and_rate") {
  std::mt19937_64 random(6);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (const Grid& grid : {Grid{3, "inductors"}, Grid{6, "inductors"}, Grid{9, "inductors"}, Grid{4, "pipes"},
                           Grid{8, "pipes"}, Grid{4, "capacitors"}, Grid{8, "capacitors"}}) {
    INFO(grid.kind << ", " << grid.rows << " rows");
    SolvedCircuit circuit(plant(grid), takt::test::library_folder());
    CHECK(has_tables(circuit.surrogate()) == (grid.rows > 5));
    std::vector<double> states, rates, ignored;
    for (std::size_t k = 0; k < circuit.surrogate().states.size(); ++k) states.push_back(1e-3 * uniform(random));
    const SymbolValues now = circuit.at(states, rates);
    CHECK(worst_law(circuit.network(), now) < 1e-9);
    // Rates of stored quantities along the solution, dependent ones among them.
    const double step = grid.kind == std::string("pipes") ? 1e-3 : 1e-7;  // they move in seconds
    std::vector<double> later = states, before = states;
    for (std::size_t k = 0; k < states.size(); ++k) later[k] += step * rates[k], before[k] -= step * rates[k];
    const SymbolValues after = circuit.at(later, ignored), previous = circuit.at(before, ignored);
    double largest = 0.0, worst = 0.0;
    for (const Branch& branch : circuit.network().branches) {
      if (!branch.stored) continue;
      const SymbolId rate = branch.kind == BranchKind::across_storage ? branch.through : branch.across;
      const auto stored = static_cast<std::size_t>(*branch.stored);
      const double difference = (after[stored] - previous[stored]) / (2.0 * step);
      largest = std::max(largest, std::fabs(difference));
      worst = std::max(worst, std::fabs(difference - now[static_cast<std::size_t>(rate)]));
    }
    CHECK(worst < 1e-5 * largest);
    // Columns of the derivative: circuits with constant coefficients are linear, friction nearly so over 1e-6.
    circuit.at(states, rates);
    const Matrix slopes = circuit.slopes();
    for (const std::size_t column : {std::size_t{0}, states.size() / 2, states.size() - 1}) {
      std::vector<double> moved = states, other;
      moved[column] += 1e-6;
      circuit.at(moved, other);
      double size = 0.0;
      for (std::size_t row = 0; row < states.size(); ++row) size = std::max(size, std::fabs(slopes[row][column]));
      for (std::size_t row = 0; row < states.size(); ++row)
        CHECK(std::fabs((other[row] - rates[row]) / 1e-6 - slopes[row][column]) < 1e-4 * size);
    }
  }
}

namespace {

/// A grid of resistors, or of pipes without inertia, fed at one corner and drawn from at all others.
std::string without_storages(std::size_t rows, bool pipes, const std::string& more = "") {
  std::mt19937_64 random(rows);
  std::uniform_real_distribution<double> some(1.0, 2.0);
  std::string text = "[plant]\ntitle = \"grid\"\n";
  text += pipes ? "[medium.m]\ndoc = \"c\"\ncp = \"4000 J/kg/K\"\nrho = \"1000 kg/m^3\"\n[element.fluid.friction]\n"
                  "doc = \"r\"\nsource = \"test\"\nterminals = [\"a\", \"b\"]\nparam = { r = \"1/kg/m > 0\" }\n"
                  "branch = { kind = \"R\", law = \"p = r*abs(q)*q\" }\nstream = { q = \"q\" }\n"
                  "[fluid]\nmedium = \"m\"\nn0 = { is = \"reservoir\", p = \"5 bar\" }\n"
                : "[electric]\nstore = { is = \"capacitor\", at = [\"n0\", \"gnd\"], c = \"1 mF\" }\n";
  std::size_t count = 0;
  const auto add = [&](std::size_t a, std::size_t b) {
    text += label('b', count++) + " = { is = \"" + (pipes ? "friction" : "resistor") + "\", at = [" + named('n', a) +
            ", " + named('n', b) + "], r = \"" + number(some(random)) + (pipes ? " 1/kg/m\" }\n" : " Ohm\" }\n");
  };
  for (std::size_t node = 0; node < rows * rows; ++node) {
    if ((node + 1) % rows != 0) add(node, node + 1);
    if (node + rows < rows * rows) add(node, node + rows);
    if (node == 0) continue;
    text += label('d', node) +
            (pipes ? " = { is = \"demand\", at = [" + named('n', node) + "], flow = \""
                   : " = { is = \"current_source\", at = [" + named('n', node) + ", \"gnd\"], i = \"") +
            number(1e-2 * some(random)) + (pipes ? " kg/s\" }\n" : " A\" }\n");
  }
  if (!pipes)
    text += "load = { is = \"resistor\", at = [" + named('n', rows * rows - 1) + ", \"gnd\"], r = \"1 Ohm\" }\n";
  return text + more;
}

}  // namespace

TEST_CASE("grids_without_storages_satisfy_every_law_over_tables_and_as_statements") {
  for (const bool pipes : {false, true})
    for (const std::size_t rows : {std::size_t{pipes ? 8u : 4u}, std::size_t{20}}) {
      INFO((pipes ? "pipes, " : "resistors, ") << rows << " rows");
      SolvedCircuit circuit(without_storages(rows, pipes), takt::test::library_folder());
      CHECK(has_tables(circuit.surrogate()) == (rows > 4));
      std::vector<double> rates;
      const std::vector<double> states(circuit.surrogate().states.size(), 1e-3);
      const SymbolValues values = circuit.at(states, rates);
      CHECK(worst_law(circuit.network(), values) < 1e-9);
      CHECK(circuit.at(states, rates) == values);  // or rounds over several subsystems never end
      if (!pipes) CHECK(open_power(circuit.network(), values) < 1e-12);
    }
}

namespace {

/// A network of capacitors alone, up to `ratio` apart: a tree, and as many loops.
std::string capacitors_far_apart(std::size_t nodes, double ratio, std::size_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  std::string text =
      "[plant]\ntitle = \"capacitors\"\n[electric]\nsource = { is = \"current_source\", at = [\"gnd\", \"n1\"], i = "
      "\"1 A\" }\n";
  const auto name = [](std::size_t node) { return node == 0 ? std::string("\"gnd\"") : named('n', node); };
  for (std::size_t link = 1; link < 2 * nodes; ++link) {
    const std::size_t node = link < nodes ? link : 1 + random() % (nodes - 1);
    text += label('b', link) + " = { is = \"capacitor\", at = [" + name(random() % node) + ", " + name(node) +
            "], c = \"" + number(std::pow(ratio, uniform(random))) + " mF\" }\n";
  }
  return text;
}

}  // namespace

TEST_CASE("capacitors_far_apart_satisfy_every_law_where_tearing_would_lose_digits") {
  for (std::size_t seed = 0; seed < 20; ++seed) {
    INFO("seed " << seed);
    SolvedCircuit circuit(capacitors_far_apart(25, 1e6, seed), takt::test::library_folder());
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    std::vector<double> states, rates;
    for (std::size_t k = 0; k < circuit.surrogate().states.size(); ++k) states.push_back(1e-3 * uniform(random));
    CHECK(worst_law(circuit.network(), circuit.at(states, rates), Beside::largest) < 1e-9);
  }
}
