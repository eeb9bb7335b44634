#include "runtime/start/eigenvalues.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

using namespace takt::start;

namespace {

/// x_k' = x_(k-1) - 2 x_k + x_(k+1): eigenvalues -2 + 2 cos(j pi/(n+1)).
Matrix chain(std::size_t n) {
  Matrix a(n);
  for (std::size_t k = 0; k < n; ++k) {
    a[k][k] = -2.0;
    if (k > 0) a[k][k - 1] = a[k - 1][k] = 1.0;
  }
  return a;
}

double of_chain(std::size_t j, std::size_t n) {
  return -2.0 + 2.0 * std::cos(static_cast<double>(j) * std::numbers::pi / static_cast<double>(n + 1));
}

}  // namespace

TEST_CASE("eigenvalues of a chain are those of its closed form, in any units of its states") {
  constexpr std::size_t n = 40;
  Matrix a = chain(n);
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t column = 0; column < n; ++column)
      a[row][column] *= std::exp2(3.0 * static_cast<double>(row) - 3.0 * static_cast<double>(column));
  const Eigenpairs pairs = eigenvalues(a);
  REQUIRE(pairs.converged);
  REQUIRE(pairs.values.size() == n);
  for (std::size_t k = 0; k < n; ++k) CHECK(std::abs(pairs.values[k] - of_chain(n - k, n)) < 1e-11);
}

TEST_CASE("a companion matrix has the roots of its polynomial, complex ones in pairs") {
  // (x^2 + 2x + 401) (x + 1e6) x, slow modes beside a fast one
  Matrix a(4);
  const double c[4] = {0.0, 401.0e6, 401.0 + 2.0e6, 2.0 + 1.0e6};
  for (std::size_t k = 0; k < 4; ++k) {
    a[3][k] = -c[k];
    if (k < 3) a[k][k + 1] = 1.0;
  }
  const Eigenpairs pairs = eigenvalues(a);
  REQUIRE(pairs.values.size() == 4);
  CHECK(std::abs(pairs.values[0] + 1e6) < 1e-6);
  CHECK(std::abs(pairs.values[1] - std::complex<double>(-1.0, 20.0)) < 1e-7);
  CHECK(std::abs(pairs.values[2] - std::complex<double>(-1.0, -20.0)) < 1e-7);
  CHECK(std::abs(pairs.values[3]) < 1e-7);
  CHECK(pairs.leading == 3);
}

TEST_CASE("sizes zero and one, a defective matrix, a matrix of zeros") {
  Matrix one(1), defective(2);
  one[0][0] = -3.0;
  defective[0][1] = 1.0;
  CHECK(eigenvalues(Matrix(0)).values.empty());
  CHECK(eigenvalues(one).values == std::vector<std::complex<double>>{-3.0});
  for (const auto& value : eigenvalues(defective).values) CHECK(std::abs(value) == 0.0);
  for (const auto& value : eigenvalues(Matrix(3)).values) CHECK(std::abs(value) == 0.0);
}

TEST_CASE("integrals of what moves by itself have no rates of their own, not even by rounding") {
  Matrix a(5);  // 0: decays; 1: integrates 0; 2: integrates 1 and 4; 3, 4: an oscillator
  a[0][0] = -0.3, a[1][0] = 1.0 / 3.0, a[2][1] = 0.7, a[2][4] = 1e3;
  a[3][4] = 2.0, a[4][3] = -8.0;
  const Eigenpairs pairs = eigenvalues(a);
  REQUIRE(pairs.values.size() == 5);
  CHECK(std::abs(pairs.values[0] - std::complex<double>(0.0, 4.0)) < 1e-14);
  CHECK(pairs.values[2] == -0.3);
  CHECK(pairs.values[3] == 0.0);
  CHECK(pairs.values[4] == 0.0);
}

TEST_CASE("Arnoldi's method finds the largest eigenvalue and the part that moves with it") {
  constexpr std::size_t n = 500;
  const auto times = [](const std::vector<double>& v) {
    std::vector<double> r(n);
    for (std::size_t k = 0; k < n; ++k) r[k] = -2.0 * v[k] + (k > 0 ? v[k - 1] : 0.0) + (k + 1 < n ? v[k + 1] : 0.0);
    r[123] -= 50.0 * v[123];
    return r;
  };
  const Eigenpairs pairs = largest_eigenvalues(n, times, 60);
  REQUIRE_FALSE(pairs.values.empty());
  CHECK(std::abs(pairs.values[0] + 52.04) < 0.01);
  CHECK(pairs.leading == 123);
}
