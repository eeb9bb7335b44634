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

/// Columns that are eliminated before what lies right of them follows: their rows stay in the cache meanwhile.
constexpr std::size_t panel = 32, tile = 128;

/// row -= sum of factors[k]*rows[k] over the columns [begin, end), one k after the other for each element.
void subtract_all(double* row, const double* const rows[], std::span<const double> factors, std::size_t begin,
                  std::size_t end) {
  std::size_t k = 0;
  for (; k + 4 <= factors.size(); k += 4) {
    const double f0 = factors[k], f1 = factors[k + 1], f2 = factors[k + 2], f3 = factors[k + 3];
    const double *r0 = rows[k], *r1 = rows[k + 1], *r2 = rows[k + 2], *r3 = rows[k + 3];
    for (std::size_t j = begin; j < end; ++j) {
      double value = row[j];
      value -= f0 * r0[j];
      value -= f1 * r1[j];
      value -= f2 * r2[j];
      value -= f3 * r3[j];
      row[j] = value;
    }
  }
  for (; k < factors.size(); ++k) subtract(row, rows[k], factors[k], begin, end);
}

}  // namespace

/// Panels of columns: every element takes the same differences in the same order as without them.
Factorisation::Factorisation(Matrix a, Pivots pivots) : a_(std::move(a)), row_(a_.size()) {
  const std::size_t n = a_.size();
  std::iota(row_.begin(), row_.end(), std::size_t{0});
  for (std::size_t first = 0; first < n && !singular_; first += panel) {
    const std::size_t end = std::min(n, first + panel);
    for (std::size_t k = first; k < end && !singular_; ++k) eliminate(k, end, pivots);
    if (!singular_) follow(first, end);
  }
}

/// Column k, and what it does to the columns of its panel.
void Factorisation::eliminate(std::size_t k, std::size_t end, Pivots pivots) {
  const std::size_t n = a_.size();
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
    subtract(a_[i], a_[k], a_[i][k], k + 1, end);
  }
}

/// What the panel [first, end) does to the columns right of it.
void Factorisation::follow(std::size_t first, std::size_t end) {
  const std::size_t n = a_.size();
  double factors[panel];
  const double* rows[panel];
  for (std::size_t begin = end; begin < n; begin += tile) {
    const std::size_t stop = std::min(n, begin + tile);
    for (std::size_t i = first + 1; i < n; ++i) {
      std::size_t count = 0;
      for (std::size_t k = first; k < std::min(i, end); ++k)
        if (a_[i][k] != 0.0) factors[count] = a_[i][k], rows[count++] = a_[k];
      subtract_all(a_[i], rows, {factors, count}, begin, stop);
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

}  // namespace

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
