#include "runtime/start/dense.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

namespace takt::start {
namespace {

Matrix random_matrix(std::size_t n, std::mt19937_64& random) {
  std::uniform_real_distribution<double> value(-1.0, 1.0);
  Matrix a(n);
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t column = 0; column < n; ++column) a[row][column] = value(random);
  return a;
}

TEST_CASE("factorisation_solves") {
  std::mt19937_64 random(5);
  for (const std::size_t n : {1, 2, 7, 40}) {
    const Matrix a = random_matrix(n, random);
    std::vector<double> wanted(n), right(n, 0.0);
    for (std::size_t k = 0; k < n; ++k) wanted[k] = std::sin(static_cast<double>(k) + 1.0);
    for (std::size_t row = 0; row < n; ++row)
      for (std::size_t column = 0; column < n; ++column) right[row] += a[row][column] * wanted[column];
    const Factorisation factors(a);
    REQUIRE_FALSE(factors.is_singular());
    const std::vector<double> x = factors.solve(right);
    for (std::size_t k = 0; k < n; ++k) CHECK(x[k] == Approx(wanted[k]).margin(1e-11));
  }
}

/// Column by column over the whole matrix: what panels only do in another order. As solve() of the unit vectors.
std::vector<double> solved_plainly(Matrix a, std::vector<double> x) {
  const std::size_t n = a.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::fabs(a[i][k]) > std::fabs(a[pivot][k])) pivot = i;
    for (std::size_t j = 0; j < n && pivot != k; ++j) std::swap(a[k][j], a[pivot][j]);
    std::swap(x[k], x[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      a[i][k] /= a[k][k];
      for (std::size_t j = k + 1; j < n; ++j) a[i][j] -= a[i][k] * a[k][j];
    }
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < i; ++k) x[i] -= a[i][k] * x[k];
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) x[i] -= a[i][k] * x[k];
    x[i] /= a[i][i];
  }
  return x;
}

TEST_CASE("panels_give_the_bits_of_plain_elimination") {
  std::mt19937_64 random(3);
  for (const std::size_t n : {31, 32, 33, 64, 97, 200}) {
    Matrix a = random_matrix(n, random);
    for (std::size_t k = 0; k < n * n / 3; ++k) a[random() % n][random() % n] = 0.0;
    std::vector<double> right(n);
    for (std::size_t k = 0; k < n; ++k) right[k] = std::cos(static_cast<double>(k));
    CHECK(Factorisation(a).solve(right) == solved_plainly(a, right));
  }
}

TEST_CASE("diagonal_pivots_are_the_same_in_all_units_of_the_unknowns") {
  std::mt19937_64 random(7);
  constexpr std::size_t n = 12;
  Matrix a = random_matrix(n, random), b(n);
  std::vector<double> right(n, 1.0), scaled(n);
  for (std::size_t row = 0; row < n; ++row) {
    a[row][row] += 5.0;
    for (std::size_t column = 0; column < n; ++column)
      b[row][column] = std::ldexp(a[row][column], static_cast<int>(row) - static_cast<int>(column));
    scaled[row] = std::ldexp(right[row], static_cast<int>(row));
  }
  const std::vector<double> x = Factorisation(a, Pivots::diagonal).solve(right),
                            y = Factorisation(b, Pivots::diagonal).solve(scaled);
  for (std::size_t k = 0; k < n; ++k) CHECK(std::ldexp(x[k], static_cast<int>(k)) == y[k]);
}

TEST_CASE("factorisation_sees_a_singular_matrix") {
  Matrix a(2);
  a[0][0] = 1.0, a[0][1] = 2.0, a[1][0] = 2.0, a[1][1] = 4.0;
  CHECK(Factorisation(a).is_singular());
  CHECK_FALSE(Factorisation(Matrix(0)).is_singular());
}

/// Rows n-2 and n-1 are sums of others: exactly two independent sums vanish.
TEST_CASE("left_null_space_of_a_matrix_with_dependent_rows") {
  std::mt19937_64 random(7);
  const std::size_t n = 12;
  Matrix a = random_matrix(n, random);
  for (std::size_t column = 0; column < n; ++column) {
    a[n - 2][column] = a[0][column] + 2.0 * a[3][column];
    a[n - 1][column] = -a[1][column] - a[4][column] - a[5][column];
  }
  const auto basis = left_null_space(a, 1e-11);
  REQUIRE(basis.size() == 2);
  for (const LeftNullVector& vector : basis) {
    CHECK(vector.c[vector.pivot] == 1.0);
    for (const LeftNullVector& other : basis)
      if (&other != &vector) CHECK(other.c[vector.pivot] == 0.0);
    for (std::size_t column = 0; column < n; ++column) {
      double sum = 0.0;
      for (std::size_t row = 0; row < n; ++row) sum += vector.c[row] * a[row][column];
      CHECK(std::abs(sum) < 1e-13);
    }
  }
}

TEST_CASE("left_null_space_of_zero_and_of_full_rank") {
  CHECK(left_null_space(Matrix(3), 1e-11).size() == 3);
  CHECK(left_null_space(Matrix(0), 1e-11).empty());
  std::mt19937_64 random(11);
  CHECK(left_null_space(random_matrix(9, random), 1e-11).empty());
}

}  // namespace
}  // namespace takt::start
