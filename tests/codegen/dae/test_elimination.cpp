#include <catch2/catch.hpp>
#include <random>

#include "codegen/dae/elimination.hpp"

using namespace takt::codegen;

namespace {

double number(const Graph& graph, Expr expression) {
  return graph.evaluate(expression, [](SymbolId) -> double { throw std::logic_error("symbol in a numeric system"); });
}

/// A ring of conductances with chords, every one either 1e-12 or 200 S, one of them to ground; unit injection at node 0.
struct Ring {
  static constexpr std::size_t nodes = 6;
  std::vector<std::vector<double>> conductance = std::vector(nodes, std::vector(nodes, 0.0));
  std::vector<double> ground = std::vector<double>(nodes, 0.0);
};

Ring random_ring(std::mt19937_64& random) {
  Ring ring;
  const auto either = [&] { return random() % 2 == 0 ? 1e-12 : 200.0; };
  for (std::size_t node = 0; node < Ring::nodes; ++node) {
    const std::size_t next = (node + 1) % Ring::nodes, across = (node + 2) % Ring::nodes;
    ring.conductance[node][next] = ring.conductance[next][node] = either();
    ring.conductance[node][across] = ring.conductance[across][node] = either();
  }
  ring.ground[random() % Ring::nodes] = either();
  return ring;
}

/// The same elimination in __float128, exact enough to judge doubles at a ratio of 1e14.
std::vector<double> reference(const Ring& ring) {
  __extension__ using Quad = __float128;
  constexpr std::size_t n = Ring::nodes;
  std::vector<std::vector<Quad>> a(n, std::vector<Quad>(n + 1, 0));
  for (std::size_t row = 0; row < n; ++row) {
    a[row][row] = ring.ground[row];
    for (std::size_t column = 0; column < n; ++column) {
      if (row == column) continue;
      a[row][column] -= static_cast<Quad>(ring.conductance[row][column]);
      a[row][row] += static_cast<Quad>(ring.conductance[row][column]);
    }
  }
  a[0][n] = 1;
  for (std::size_t pivot = 0; pivot < n; ++pivot)
    for (std::size_t row = 0; row < n; ++row) {
      if (row == pivot) continue;
      const Quad factor = a[row][pivot] / a[pivot][pivot];
      for (std::size_t column = pivot; column <= n; ++column) a[row][column] -= factor * a[pivot][column];
    }
  std::vector<double> solution;
  for (std::size_t row = 0; row < n; ++row) solution.push_back(static_cast<double>(a[row][n] / a[row][row]));
  return solution;
}

}  // namespace

TEST_CASE("laplacian_elimination_keeps_tiny_conductances_beside_large_ones") {
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 200; ++trial) {
    const Ring ring = random_ring(random);
    Graph graph;
    Laplacian network;
    for (std::size_t row = 0; row < Ring::nodes; ++row) {
      std::vector<Expr> entries;
      for (const double value : ring.conductance[row]) entries.push_back(graph.constant(value));
      network.conductance.push_back(std::move(entries));
      network.ground.push_back(graph.constant(ring.ground[row]));
      network.right.push_back(graph.constant(row == 0 ? 1.0 : 0.0));
    }
    const std::vector<Expr> solution = eliminate(graph, network);
    const std::vector<double> expected = reference(ring);
    for (std::size_t node = 0; node < Ring::nodes; ++node)
      CHECK(number(graph, solution[node]) == Approx(expected[node]).epsilon(1e-12));
  }
}

TEST_CASE("dense_elimination_solves_systems_with_zero_diagonals") {
  Graph graph;
  const auto c = [&](double value) { return graph.constant(value); };
  const auto solution = eliminate(graph, LinearSystem{{{c(0), c(2), c(1)}, {c(1), c(0), c(3)}, {c(2), c(1), c(0)}}, {c(7), c(10), c(4)}});
  REQUIRE(solution);
  CHECK(number(graph, (*solution)[0]) == Approx(1.0));
  CHECK(number(graph, (*solution)[1]) == Approx(2.0));
  CHECK(number(graph, (*solution)[2]) == Approx(3.0));
}

TEST_CASE("dense_elimination_refuses_a_structurally_singular_system") {
  Graph graph;
  const auto c = [&](double value) { return graph.constant(value); };
  CHECK_FALSE(eliminate(graph, LinearSystem{{{c(0), c(1)}, {c(0), c(1)}}, {c(1), c(1)}}));
}

TEST_CASE("residuals_that_multiply_unknowns_are_not_linear") {
  Graph graph;
  const SymbolId x = graph.make_symbol("x", "1"), y = graph.make_symbol("y", "1");
  CHECK_FALSE(as_linear(graph, {graph.mul(graph.use(x), graph.use(y)), graph.use(y)}, {x, y}));
  CHECK(as_linear(graph, {graph.add(graph.use(x), graph.use(y)), graph.use(y)}, {x, y}));
}
