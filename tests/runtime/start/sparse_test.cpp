#include "runtime/start/sparse.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

namespace takt::start {
namespace {

using Random = std::mt19937_64;

double some(Random& random) { return std::uniform_real_distribution<double>(-1.0, 1.0)(random); }

/// Some entries in each column, in places that are thrown; each row and each column has one at least.
SparseMatrix random_matrix(std::size_t n, std::size_t entries, Random& random) {
  Matrix full(n);
  std::vector<std::size_t> place(n);
  for (std::size_t k = 0; k < n; ++k) place[k] = k;
  std::shuffle(place.begin(), place.end(), random);
  for (std::size_t column = 0; column < n; ++column) {
    full[place[column]][column] = some(random);
    for (std::size_t k = 1; k < entries; ++k) full[random() % n][column] = some(random);
  }
  SparseMatrix a;
  for (std::size_t column = 0; column < n; ++column) {
    for (std::size_t row = 0; row < n; ++row)
      if (full[row][column] != 0.0) a.add(row, full[row][column]);
    a.end_column();
  }
  return a;
}

std::vector<double> times(const SparseMatrix& a, const std::vector<double>& x) {
  std::vector<double> y(a.size(), 0.0);
  for (std::size_t column = 0; column < a.size(); ++column)
    for (std::size_t k = a.start[column]; k < a.start[column + 1]; ++k) y[a.row[k]] += a.value[k] * x[column];
  return y;
}

/// Grid of rows x rows nodes: conductances to its neighbours, 1 to ground at the first node.
SparseMatrix grid(std::size_t rows, double ground) {
  SparseMatrix a;
  const std::size_t n = rows * rows;
  for (std::size_t node = 0; node < n; ++node) {
    std::vector<std::size_t> neighbours;
    if (node >= rows) neighbours.push_back(node - rows);
    if (node % rows > 0) neighbours.push_back(node - 1);
    neighbours.push_back(node);
    if (node % rows + 1 < rows) neighbours.push_back(node + 1);
    if (node + rows < n) neighbours.push_back(node + rows);
    for (const std::size_t other : neighbours)
      a.add(other, other == node ? static_cast<double>(neighbours.size() - 1) + (node == 0 ? ground : 0.0) : -1.0);
    a.end_column();
  }
  return a;
}

}  // namespace

TEST_CASE("sparse_factors_solve_as_dense_ones_do_and_have_the_same_sign") {
  Random random(5);
  int negative = 0;
  for (const std::size_t n : {1, 2, 3, 7, 40, 120})
    for (int trial = 0; trial < 20; ++trial) {
      const SparseMatrix a = random_matrix(n, 4, random);
      const SparseFactorisation sparse(a);
      const Factorisation dense(a.dense());
      REQUIRE(sparse.is_singular() == dense.is_singular());
      if (dense.is_singular()) continue;
      CHECK(sparse.is_negative() == dense.is_negative());
      negative += dense.is_negative() ? 1 : 0;
      std::vector<double> wanted;
      for (std::size_t k = 0; k < n; ++k) wanted.push_back(some(random));
      const std::vector<double> right = times(a, wanted), again = times(a, sparse.solve(right));
      const std::vector<double> x = sparse.solve(right);
      double largest = 1.0;
      for (const double value : x) largest = std::max(largest, std::fabs(value));
      for (std::size_t k = 0; k < n; ++k) CHECK(std::fabs(again[k] - right[k]) <= 1e-12 * largest);
    }
  CHECK(negative > 20);
}

TEST_CASE("a_grid_of_2500_nodes_is_solved_and_fills_in_little") {
  const SparseMatrix a = grid(50, 1.0);
  const SparseFactorisation factors(a);
  REQUIRE_FALSE(factors.is_singular());
  CHECK_FALSE(factors.is_negative());
  std::vector<double> right(a.size(), 0.0);
  right.back() = 1.0;  // what is fed at the last node flows to ground at the first
  const std::vector<double> x = factors.solve(right);
  CHECK(x.front() == Approx(1.0).epsilon(1e-11));
  const std::vector<double> again = times(a, x);
  for (std::size_t k = 0; k < right.size(); ++k) CHECK(std::fabs(again[k] - right[k]) < 1e-11);
  CHECK(factors.entries() < 60 * a.size());
}

TEST_CASE("what_cannot_be_solved_is_singular") {
  SparseMatrix twice;  // equal columns
  for (int column = 0; column < 2; ++column) twice.add(0, 1.0), twice.add(1, 2.0), twice.end_column();
  CHECK(SparseFactorisation(twice).is_singular());
  SparseMatrix empty_row;
  empty_row.add(0, 1.0), empty_row.end_column(), empty_row.add(0, 2.0), empty_row.end_column();
  CHECK(SparseFactorisation(empty_row).is_singular());
  SparseMatrix not_finite;
  not_finite.add(0, std::nan("")), not_finite.end_column();
  CHECK(SparseFactorisation(not_finite).is_singular());
  CHECK_FALSE(SparseFactorisation(SparseMatrix()).is_singular());
}

/// No ground: what flows into a grid stays in it. Two of them, side by side, and a row that is zero.
TEST_CASE("sparse_left_null_space_finds_what_is_conserved") {
  SparseMatrix a = grid(12, 0.0);
  const std::size_t n = a.size();
  for (std::size_t column = 0; column < n; ++column) {
    for (std::size_t k = a.start[column]; k < a.start[column + 1]; ++k) a.add(n + a.row[k], 3.0 * a.value[k]);
    a.end_column();
  }
  a.end_column();
  const std::vector<LeftNullVector> basis = left_null_space(a, 1e-11);
  REQUIRE(basis.size() == 3);
  for (const LeftNullVector& vector : basis) {
    CHECK(vector.c[vector.pivot] == 1.0);
    for (const LeftNullVector& other : basis)
      if (&other != &vector) CHECK(other.c[vector.pivot] == 0.0);
    for (std::size_t column = 0; column < a.size(); ++column) {
      double sum = 0.0;
      for (std::size_t k = a.start[column]; k < a.start[column + 1]; ++k) sum += vector.c[a.row[k]] * a.value[k];
      CHECK(std::fabs(sum) < 1e-12);
    }
  }
}

TEST_CASE("sparse_left_null_space_has_the_dimension_of_the_dense_one") {
  Random random(11);
  for (int trial = 0; trial < 40; ++trial) {
    SparseMatrix a = random_matrix(30, 3, random);
    for (std::size_t k = 0; k < a.entries(); ++k)  // row 4 becomes 2 times row 9 here and there
      if (a.row[k] == 4) a.value[k] = 0.0;
    CHECK(left_null_space(a, 1e-11).size() == left_null_space(a.dense(), 1e-11).size());
  }
}

}  // namespace takt::start
