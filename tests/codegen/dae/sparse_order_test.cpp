// Systems of fixed sparsity: what the chosen pivots and the kernel of the plants give, against the system itself.

#include "codegen/dae/algebra/sparse_order.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "codegen/dae/algebra/elimination.hpp"
#include "codegen/dae/algebra/sparse_probe.hpp"
#include "runtime/math/sparse_lu.hpp"

using namespace takt;
using namespace takt::codegen;

namespace {

struct System {
  std::size_t size = 0;
  std::vector<SparseEntry> entries;
  std::vector<PointValues> values;
  void add(std::size_t row, std::size_t column, double value) {
    entries.push_back({row, column, Expr{}});
    values.emplace_back().fill(value);
  }
};

/// The rows of a permutation, some entries beside, rows and columns scaled over `decades` powers of ten.
System random_system(std::size_t size, double decades, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<std::size_t> place(size);
  for (std::size_t k = 0; k < size; ++k) place[k] = k;
  std::shuffle(place.begin(), place.end(), random);
  std::vector<double> by_row, by_column;
  for (std::size_t k = 0; k < size; ++k) {
    by_row.push_back(std::pow(10.0, 0.5 * decades * uniform(random)));
    by_column.push_back(std::pow(10.0, 0.5 * decades * uniform(random)));
  }
  System system{size, {}, {}};
  for (std::size_t row = 0; row < size; ++row) {
    std::vector<std::size_t> columns{place[row], random() % size, random() % size};
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    for (const std::size_t column : columns) {
      const double value = column == place[row] ? 2.0 + uniform(random) : uniform(random);
      system.add(row, column, value * by_row[row] * by_column[column]);
    }
  }
  return system;
}

/// Largest |A x - b| over the sum of the magnitudes of its terms: W. Oettli, W. Prager, Numer. Math. 6 (1964).
double backward_error(const System& system, const std::vector<double>& x, const std::vector<double>& right) {
  std::vector<double> residual = right, terms(system.size);
  for (std::size_t row = 0; row < system.size; ++row) terms[row] = std::fabs(right[row]);
  for (std::size_t k = 0; k < system.entries.size(); ++k) {
    const double part = system.values[k][0] * x[system.entries[k].column];
    residual[system.entries[k].row] -= part;
    terms[system.entries[k].row] += std::fabs(part);
  }
  double worst = 0.0;
  for (std::size_t row = 0; row < system.size; ++row) worst = std::max(worst, std::fabs(residual[row]) / terms[row]);
  return worst;
}

std::vector<double> solve(const System& system, const SparseTables& tables, std::vector<double> right) {
  std::vector<double> factors(tables.entries(), 0.0), scratch(3 * system.size);
  for (std::size_t k = 0; k < system.entries.size(); ++k) factors[tables.place[k]] = system.values[k][0];
  const std::vector<double> matrix = factors;
  const SparsePattern pattern = pattern_of(tables);
  factor_sparse(pattern, factors.data(), scratch.data());
  if (tables.twice)
    solve_sparse_twice(pattern, {factors.data(), matrix.data()}, right.data(), scratch.data());
  else
    solve_sparse(pattern, factors.data(), right.data(), scratch.data());
  return right;
}

}  // namespace

TEST_CASE("random_sparse_systems_are_solved_to_rounding_whatever_their_scales") {
  std::mt19937_64 random(2020);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  int solved_twice = 0;
  for (const double decades : {0.0, 12.0})
    for (const std::size_t size : {1U, 2U, 5U, 40U, 300U})
      for (int repeat = 0; repeat < 20; ++repeat) {
        const System system = random_system(size, decades, random);
        auto tables = order_pivots(size, system.entries, system.values);
        REQUIRE(tables);
        tables->twice = probe(*tables, system.entries, system.values) > harmless_once;
        solved_twice += tables->twice ? 1 : 0;
        CHECK((decades > 0.0 || !tables->twice));
        std::vector<double> right;
        for (std::size_t k = 0; k < size; ++k) right.push_back(uniform(random));
        INFO(size << " unknowns, " << decades << " decades, repeat " << repeat);
        CHECK(tables->growth < harmless_growth);
        // Rounding times growth and the length of sums. Row by row, scales of 12 decades are no part of what threshold
        // pivoting bounds: there the second solution is needed.
        CHECK(backward_error(system, solve(system, *tables, right), right) < (tables->twice ? 1e-12 : 1e-10));
      }
  CHECK(solved_twice > 10);
}

TEST_CASE("a_grid_of_loops_fills_in_as_little_as_a_good_order_lets_it") {
  constexpr std::size_t rows = 40;
  System system{rows * rows, {}, {}};
  for (std::size_t loop = 0; loop < system.size; ++loop) {
    system.add(loop, loop, 4.5);
    if (loop % rows != 0) system.add(loop, loop - 1, -1.0);
    if ((loop + 1) % rows != 0) system.add(loop, loop + 1, -1.0);
    if (loop >= rows) system.add(loop, loop - rows, -1.0);
    if (loop + rows < system.size) system.add(loop, loop + rows, -1.0);
  }
  const auto tables = order_pivots(system.size, system.entries, system.values);
  REQUIRE(tables);
  // 31 n log2(n)/4 is what nested dissection of a square grid needs in L alone; a band would take 2*40*1600 = 128,000.
  CHECK(tables->entries() < 60000);
  CHECK(tables->growth < 2.0);
  const std::vector<double> right(system.size, 1.0);
  CHECK(backward_error(system, solve(system, *tables, right), right) < 1e-13);
}

TEST_CASE("equations_that_serve_one_unknown_each_keep_it_whichever_way_the_stream_flows") {
  constexpr std::size_t rows = 40;
  std::mt19937_64 random(7);
  std::vector<std::size_t> place(rows * rows);  // equations stand in any order
  for (std::size_t node = 0; node < place.size(); ++node) place[node] = node;
  std::shuffle(place.begin(), place.end(), random);
  System system{place.size(), {}, {}};
  std::vector<std::optional<std::size_t>> only(place.size());
  std::vector<PointValues> served(place.size(), PointValues{});
  const auto link = [&](std::size_t a, std::size_t b) {  // what enters a node is mixed there
    for (const auto& [to, from] : {std::pair(a, b), std::pair(b, a)}) system.add(place[to], from, 0.0);
    for (std::size_t point = 0; point < pivot_points; ++point) {
      const bool forward = random() % 2 == 0;
      const double flow = std::exp(static_cast<double>(random() % 20)) * (forward ? 1.0 : -1.0);
      system.values[system.values.size() - 2][point] = std::min(flow, 0.0);
      system.values[system.values.size() - 1][point] = std::min(-flow, 0.0);
      served[forward ? b : a][point] += std::fabs(flow);
    }
  };
  for (std::size_t node = 0; node < place.size(); ++node) {
    only[place[node]] = node;
    if ((node + 1) % rows != 0) link(node, node + 1);
    if (node + rows < place.size()) link(node, node + rows);
  }
  for (std::size_t node = 0; node < place.size(); ++node) {
    system.add(place[node], node, 0.0);
    for (std::size_t point = 0; point < pivot_points; ++point) system.values.back()[point] = served[node][point] + 1.0;
  }
  const auto tables = order_pivots(system.size, system.entries, system.values, only);
  REQUIRE(tables);
  for (std::size_t row = 0; row < system.size; ++row) CHECK(only[tables->equation[row]] == tables->unknown[row]);
  CHECK(tables->entries() < 60000);
  CHECK(tables->growth < 2.0);
  const std::vector<double> right(system.size, 1.0);
  CHECK(backward_error(system, solve(system, *tables, right), right) < 1e-13);
}

TEST_CASE("a_pivot_that_is_given_but_too_small_comes_after_those_that_make_it_larger") {
  const double small = GENERATE(1e-20, 5e-4);  // loses all digits; three of them, which only the growth tells
  System system{2, {}, {}};
  system.add(0, 0, small), system.add(0, 1, 1.0), system.add(1, 0, 1.0), system.add(1, 1, 1.0);
  const auto tables = order_pivots(2, system.entries, system.values, {std::size_t{0}, std::size_t{1}});
  REQUIRE(tables);
  CHECK(tables->growth < 10.0);
  const std::vector<double> right{1.0, 2.0};
  CHECK(backward_error(system, solve(system, *tables, right), right) < 1e-14);
}

TEST_CASE("a_system_whose_last_pivot_is_zero_is_refused") {
  System system{2, {}, {}};
  system.add(0, 0, 1.0), system.add(0, 1, 2.0), system.add(1, 0, 2.0), system.add(1, 1, 4.0);
  CHECK_FALSE(order_pivots(2, system.entries, system.values));
}

TEST_CASE("coefficients_that_vanish_at_rest_alone_may_be_pivots") {
  System system{2, {}, {}};
  system.add(0, 0, 1.0), system.add(1, 1, 1.0);
  system.values[1][0] = 0.0;  // at rest
  CHECK(order_pivots(2, system.entries, system.values));
}
