#include "codegen/dae/algebra/elimination.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <unordered_map>

#include "codegen/dae/algebra/cramer.hpp"
#include "codegen/dae/algebra/laplacian.hpp"
#include "codegen/dae/algebra/pivot_points.hpp"

using namespace takt::codegen;

namespace {

double number(const Graph& graph, Expr expression) {
  return graph.evaluate(expression, [](SymbolId) -> double { throw std::logic_error("symbol in a numeric system"); });
}

/// A ring of conductances with chords, every one either 1e-12 or 200 S, one of them to ground, each in series with a
/// voltage; an injection at node 0.
struct Ring {
  static constexpr std::size_t nodes = 6;
  std::vector<std::vector<double>> conductance = std::vector(nodes, std::vector(nodes, 0.0));
  std::vector<std::vector<double>> emf = conductance;  ///< antisymmetric
  double injection = 1.0;
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

/// Nothing but voltages, which leave the potential of the whole to the one conductance to ground.
Ring ring_of_voltages(std::mt19937_64& random) {
  Ring ring = random_ring(random);
  ring.injection = 0.0;
  for (std::size_t a = 0; a < Ring::nodes; ++a)
    for (std::size_t b = 0; b < a; ++b) {
      ring.emf[a][b] = std::uniform_real_distribution<double>(-400.0, 400.0)(random);
      ring.emf[b][a] = -ring.emf[a][b];
    }
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
      a[row][n] += static_cast<Quad>(ring.conductance[row][column]) * static_cast<Quad>(ring.emf[row][column]);
    }
  }
  a[0][n] += ring.injection;
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

namespace {

std::vector<double> eliminated(const Ring& ring) {
  Graph graph;
  Laplacian network(graph, Ring::nodes);
  for (std::size_t row = 0; row < Ring::nodes; ++row) {
    for (std::size_t column = 0; column < row; ++column)
      if (ring.conductance[row][column] > 0.0)
        network.join({row, column}, graph.constant(ring.conductance[row][column]),
                     graph.constant(ring.conductance[row][column] * ring.emf[row][column]));
    network.join({row, {}}, graph.constant(ring.ground[row]), graph.zero());
  }
  network.inject(0, graph.constant(ring.injection));
  std::vector<double> solution;
  for (const Expr potential : std::move(network).solve()) solution.push_back(number(graph, potential));
  return solution;
}

}  // namespace

TEST_CASE("laplacian_elimination_keeps_tiny_conductances_beside_large_ones") {
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 200; ++trial) {
    const Ring ring = random_ring(random);
    const std::vector<double> solution = eliminated(ring), expected = reference(ring);
    for (std::size_t node = 0; node < Ring::nodes; ++node)
      CHECK(solution[node] == Approx(expected[node]).epsilon(1e-12));
  }
}

// As pairs of currents the voltages would leave an error of 1e-16*200 S*400 V/1e-12 S = 8 V.
TEST_CASE("voltages_between_nodes_do_not_disturb_what_hangs_on_a_tiny_conductance") {
  std::mt19937_64 random(4);
  for (int trial = 0; trial < 200; ++trial) {
    const Ring ring = ring_of_voltages(random);
    const std::vector<double> solution = eliminated(ring), expected = reference(ring);
    for (std::size_t node = 0; node < Ring::nodes; ++node)
      CHECK(solution[node] == Approx(expected[node]).margin(400.0 * 1e-13));
  }
}

TEST_CASE("an_ideal_two_port_ties_potentials_and_reflects_currents") {
  // 3 A into node 0; winding 0-ground to winding 1-2 with ratio 2; 4 S between 1 and 2; 1e-12 S from 2 to ground.
  Graph graph;
  const auto c = [&](double value) { return graph.constant(value); };
  for (const std::size_t solved_for : {0U, 1U}) {
    Laplacian network(graph, 3);
    network.inject(0, c(3.0));
    network.join({1, 2}, c(4.0), graph.zero());
    network.join({2, {}}, c(1e-12), graph.zero());
    if (solved_for == 0)  // u0 = 2*(u1 - u2)
      network.constrain({0, {{1, 2.0}, {2, -2.0}}, 1.0});
    else  // u1 = u2 + u0/2
      network.constrain({1, {{2, 1.0}, {0, 0.5}}, -0.5});
    const std::vector<Expr> solution = std::move(network).solve();
    CHECK(number(graph, solution[0]) == Approx(3.0));  // 6 A in 4 S is 1.5 V
    CHECK(number(graph, solution[1]) == Approx(1.5));
    CHECK(number(graph, solution[2]) == Approx(0.0).margin(1e-15));
  }
}

TEST_CASE("coupled_branches_carry_each_other_s_current") {
  // 1 A into node 0; branch 0-ground of 2 S, branch 1-ground of 3 S, coupled by 1 S; 1 S at node 1.
  Graph graph;
  const auto c = [&](double value) { return graph.constant(value); };
  Laplacian network(graph, 2);
  network.inject(0, c(1.0));
  network.join({0, {}}, c(2.0), graph.zero());
  network.join({1, {}}, c(3.0), graph.zero());
  network.join({1, {}}, c(1.0), graph.zero());
  network.couple({0, {}}, {1, {}}, c(1.0));
  const std::vector<Expr> solution = std::move(network).solve();  // 2 u0 + u1 = 1, u0 + 4 u1 = 0
  CHECK(number(graph, solution[0]) == Approx(4.0 / 7.0));
  CHECK(number(graph, solution[1]) == Approx(-1.0 / 7.0));
}

TEST_CASE("dense_elimination_solves_systems_with_zero_diagonals") {
  Graph graph;
  const auto c = [&](double value) { return graph.constant(value); };
  const auto solution =
      eliminate(graph, LinearSystem{{{c(0), c(2), c(1)}, {c(1), c(0), c(3)}, {c(2), c(1), c(0)}}, {c(7), c(10), c(4)}});
  REQUIRE(solution);
  CHECK(number(graph, solution->solution[0]) == Approx(1.0));
  CHECK(number(graph, solution->solution[1]) == Approx(2.0));
  CHECK(number(graph, solution->solution[2]) == Approx(3.0));
}

namespace {

/// Inductances of the loops of a grid of rows x rows meshes; neighbours share a branch. Every row stands where that of
/// another loop should, as tearing may leave it, so that no diagonal is what it is called.
struct LoopMatrix {
  std::vector<std::vector<double>> entries;  // [n x n]
  std::vector<double> x, right;              // [n] right = entries * x
};

LoopMatrix loop_matrix(std::size_t rows, std::mt19937_64& random) {
  std::uniform_real_distribution<double> henry(1e-3, 2e-3);
  const std::size_t n = rows * rows;
  LoopMatrix system{std::vector(n, std::vector(n, 0.0)), {}, std::vector(n, 0.0)};
  std::vector<std::size_t> moved(n);
  for (std::size_t k = 0; k < n; ++k) moved[k] = (7 * k + 3) % n;
  const auto join = [&](std::size_t a, std::size_t b, double share) { system.entries[moved[a]][b] += share; };
  for (std::size_t loop = 0; loop < n; ++loop) {
    join(loop, loop, henry(random));
    for (const std::size_t next : {loop % rows + 1 < rows ? loop + 1 : n, loop + rows}) {
      const double l = henry(random);
      join(loop, loop, l);
      if (next >= n) continue;
      join(next, next, l), join(loop, next, -l), join(next, loop, -l);
    }
  }
  for (std::size_t k = 0; k < n; ++k) system.x.push_back(henry(random) * 1e3 - 1.5);
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t column = 0; column < n; ++column)
      system.right[row] += system.entries[row][column] * system.x[column];
  return system;
}

}  // namespace

TEST_CASE("elimination_of_meshes_keeps_its_digits_wherever_their_rows_stand") {
  std::mt19937_64 random(20);
  for (const std::size_t rows : {3U, 5U, 6U, 8U}) {
    const LoopMatrix loops = loop_matrix(rows, random);
    Graph graph;
    LinearSystem system;
    SymbolMap<double> parameters;
    for (std::size_t row = 0; row < loops.x.size(); ++row) {
      std::vector<Expr> entries;
      for (std::size_t column = 0; column < loops.x.size(); ++column) {
        const double value = loops.entries[row][column];
        if (value == 0.0) {
          entries.push_back(graph.zero());
          continue;
        }
        const SymbolId symbol = graph.make_symbol(std::to_string(row) + "." + std::to_string(column), "H");
        parameters.emplace(symbol, value);
        entries.push_back(graph.use(symbol));
      }
      system.matrix.push_back(std::move(entries));
      system.right.push_back(graph.constant(loops.right[row]));
    }
    const auto eliminated = eliminate(graph, system, {.parameters = &parameters});
    REQUIRE(eliminated);
    CHECK(eliminated->growth < harmless_growth);
    double worst = 0.0;
    for (std::size_t k = 0; k < loops.x.size(); ++k)
      worst = std::max(worst, std::fabs(loops.x[k] - graph.evaluate(eliminated->solution[k], [&](SymbolId symbol) {
                         return parameters.at(symbol);
                       })));
    INFO(rows << " x " << rows << " loops");
    CHECK(worst < 1e-11);  // a condition of some tens, a growth of some units
  }
}

TEST_CASE("elimination_says_where_no_fixed_order_of_pivots_serves") {
  // Never singular, but either entry vanishes where the other one is large.
  Graph graph;
  const Expr s = graph.use(graph.make_symbol("s", "V"));
  const auto at = at_pivot_points(graph, {s}, {})[0];
  const Expr a = graph.sub(s, graph.constant(at[1])), b = graph.sub(s, graph.constant(at[2]));
  const auto eliminated =
      eliminate(graph, LinearSystem{{{a, b}, {b, graph.neg(a)}}, {graph.constant(1.0), graph.constant(2.0)}});
  REQUIRE(eliminated);
  CHECK(eliminated->growth > largest_growth);  // refused by T027
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

TEST_CASE("determinants_solve_where_a_fixed_pivot_would_vanish") {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-2.0, 2.0);
  for (std::size_t n = 1; n <= largest_cramer; ++n) {
    for (int draw = 0; draw < 20; ++draw) {
      // Entries are symbols, so that nothing is folded; then half of them, the diagonal among them, take the value 0.
      Graph graph;
      LinearSystem system;
      std::unordered_map<SymbolId, double> values;
      std::vector<std::vector<double>> matrix(n, std::vector<double>(n));
      for (std::size_t row = 0; row < n; ++row) {
        std::vector<Expr> entries;
        for (std::size_t column = 0; column < n; ++column) {
          const SymbolId symbol = graph.make_symbol(std::to_string(row) + "," + std::to_string(column), "1");
          const bool on_cycle = column == (row + 1) % n;
          matrix[row][column] = values[symbol] = on_cycle                  ? 1.0 + std::fabs(uniform(random))
                                                 : row == column || n == 1 ? 0.0
                                                                           : 0.1 * uniform(random);
          entries.push_back(graph.use(symbol));
        }
        system.matrix.push_back(std::move(entries));
        system.right.push_back(graph.constant(uniform(random)));
      }
      const auto solution = solve_by_determinants(graph, system);
      REQUIRE(solution);
      std::vector<double> x;
      for (const Expr each : *solution)
        x.push_back(graph.evaluate(each, [&](SymbolId symbol) { return values.at(symbol); }));
      for (std::size_t row = 0; row < n; ++row) {
        double sum = 0.0;
        for (std::size_t column = 0; column < n; ++column) sum += matrix[row][column] * x[column];
        CHECK(sum == Approx(number(graph, system.right[row])).margin(1e-12));
      }
    }
  }
  Graph graph;
  CHECK_FALSE(solve_by_determinants(
      graph, {{{graph.one(), graph.one()}, {graph.zero(), graph.zero()}}, {graph.one(), graph.one()}}));
}
