#include "runtime/start/dense.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace takt::start {
namespace {

/// to -= factor * from over [begin, end).
void subtract(double* to, const double* from, double factor, std::size_t begin, std::size_t end) {
  for (std::size_t k = begin; k < end; ++k) to[k] -= factor * from[k];
}

}  // namespace

Factorisation::Factorisation(Matrix a, Pivots pivots) : a_(std::move(a)), row_(a_.size()) {
  const std::size_t n = a_.size();
  std::iota(row_.begin(), row_.end(), std::size_t{0});
  for (std::size_t k = 0; k < n && !singular_; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n && pivots == Pivots::largest; ++i)
      if (std::fabs(a_[i][k]) > std::fabs(a_[pivot][k])) pivot = i;
    if (pivot != k) {
      std::swap_ranges(a_[k], a_[k] + n, a_[pivot]);
      std::swap(row_[k], row_[pivot]);
      negative_ = !negative_;
    }
    const double diagonal = a_[k][k];
    if (diagonal < 0.0) negative_ = !negative_;
    singular_ = !(std::fabs(diagonal) > 0.0) || !std::isfinite(diagonal);
    for (std::size_t i = k + 1; i < n && !singular_; ++i) {
      if (a_[i][k] == 0.0) continue;
      a_[i][k] /= diagonal;
      subtract(a_[i], a_[k], a_[i][k], k + 1, n);
    }
  }
}

std::vector<double> Factorisation::solve(std::vector<double> right) const {
  const std::size_t n = a_.size();
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = right[row_[i]];
    for (std::size_t k = 0; k < i; ++k) x[i] -= a_[i][k] * x[k];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) x[i] -= a_[i][k] * x[k];
    x[i] /= a_[i][i];
  }
  return x;
}

namespace {

/// P A Q = [L11 0; L21 I] [U11 U12; 0 S], S below the tolerance. Multipliers of L stand in the places of A.
struct Elimination {
  Matrix a;
  std::vector<std::size_t> rows;
  std::size_t rank = 0;
};

Elimination eliminate(Matrix a, double tolerance) {
  const std::size_t n = a.size();
  Elimination result{std::move(a), std::vector<std::size_t>(n), 0};
  Matrix& m = result.a;
  std::iota(result.rows.begin(), result.rows.end(), std::size_t{0});
  double largest = 0.0;
  for (std::size_t k = 0; k < n; ++k, ++result.rank) {
    std::size_t row = k, column = k;
    for (std::size_t i = k; i < n; ++i)
      for (std::size_t j = k; j < n; ++j)
        if (std::fabs(m[i][j]) > std::fabs(m[row][column])) row = i, column = j;
    const double pivot = m[row][column];
    if (k == 0) largest = std::fabs(pivot);
    if (!(std::fabs(pivot) > tolerance * largest)) break;
    if (row != k) {
      std::swap_ranges(m[k], m[k] + n, m[row]);
      std::swap(result.rows[k], result.rows[row]);
    }
    if (column != k)
      for (std::size_t i = 0; i < n; ++i) std::swap(m[i][k], m[i][column]);
    for (std::size_t i = k + 1; i < n; ++i) {
      if (m[i][k] == 0.0) continue;
      m[i][k] /= pivot;
      subtract(m[i], m[k], m[i][k], k + 1, n);
    }
  }
  return result;
}

/// Gauss-Jordan: in the place of each vector's largest element all others become 0.
void reduce(std::vector<LeftNullVector>& basis) {
  for (LeftNullVector& own : basis) {
    own.pivot = 0;
    for (std::size_t k = 0; k < own.c.size(); ++k)
      if (std::fabs(own.c[k]) > std::fabs(own.c[own.pivot])) own.pivot = k;
    const double scale = own.c[own.pivot];
    for (double& value : own.c) value /= scale;
    for (LeftNullVector& other : basis) {
      if (&other == &own || other.c[own.pivot] == 0.0) continue;
      const double factor = other.c[own.pivot];
      subtract(other.c.data(), own.c.data(), factor, 0, own.c.size());
      other.c[own.pivot] = 0.0;
    }
  }
}

}  // namespace

std::vector<LeftNullVector> left_null_space(Matrix a, double tolerance) {
  const std::size_t n = a.size();
  const Elimination done = eliminate(std::move(a), tolerance);
  std::vector<LeftNullVector> basis;
  for (std::size_t below = done.rank; below < n; ++below) {
    // c^T P A = 0 with c = [y, e_below]: y^T L11 = -L21's row, from the last column on.
    std::vector<double> y(done.rank);
    for (std::size_t k = done.rank; k-- > 0;) {
      double sum = -done.a[below][k];
      for (std::size_t i = k + 1; i < done.rank; ++i) sum -= y[i] * done.a[i][k];
      y[k] = sum;
    }
    LeftNullVector vector;
    vector.c.assign(n, 0.0);
    for (std::size_t k = 0; k < done.rank; ++k) vector.c[done.rows[k]] = y[k];
    vector.c[done.rows[below]] = 1.0;
    basis.push_back(std::move(vector));
  }
  reduce(basis);
  return basis;
}

}  // namespace takt::start
