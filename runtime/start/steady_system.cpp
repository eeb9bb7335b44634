#include "runtime/start/steady_system.hpp"

#include <algorithm>
#include <cmath>

namespace takt::start {
namespace {

std::vector<std::size_t> rows_of(const SteadyUnknowns& unknowns) {
  std::vector<std::size_t> rows;
  for (const Invariant& sum : unknowns.sums) {
    const auto place = std::lower_bound(unknowns.index.begin(), unknowns.index.end(), sum.pivot);
    rows.push_back(static_cast<std::size_t>(place - unknowns.index.begin()));
  }
  return rows;
}

Matrix matrix_of(const SteadyUnknowns& unknowns, std::span<const std::size_t> row_of_sum) {
  const std::size_t n = unknowns.index.size();
  Matrix a(n);
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t column = 0; column < n; ++column) a[row][column] = -unknowns.jacobian[row][column];
  for (std::size_t k = 0; k < n; ++k) a[k][k] += unknowns.magnitude[k] / unknowns.seconds[k];
  for (std::size_t sum = 0; sum < row_of_sum.size(); ++sum)
    for (std::size_t column = 0; column < n; ++column)
      a[row_of_sum[sum]][column] = unknowns.sums[sum].c[unknowns.index[column]] * unknowns.magnitude[column];
  return a;
}

/// The largest element of every row becomes 1.
Matrix scaled(Matrix a, std::vector<double>& scale) {
  const std::size_t n = a.size();
  scale.assign(n, 1.0);
  for (std::size_t row = 0; row < n; ++row) {
    double most = 0.0;
    for (std::size_t column = 0; column < n; ++column) most = std::max(most, std::fabs(a[row][column]));
    if (most > 0.0) scale[row] = most;
    for (std::size_t column = 0; column < n; ++column) a[row][column] /= scale[row];
  }
  return a;
}

}  // namespace

SteadySystem::SteadySystem(const SteadyUnknowns& unknowns)
    : magnitude_(unknowns.magnitude),
      row_of_sum_(rows_of(unknowns)),
      factors_(scaled(matrix_of(unknowns, row_of_sum_), row_)) {}

std::vector<double> SteadySystem::solve(std::vector<double> rates, std::span<const double> short_of) const {
  for (std::size_t sum = 0; sum < row_of_sum_.size(); ++sum) rates[row_of_sum_[sum]] = short_of[sum];
  for (std::size_t k = 0; k < rates.size(); ++k) rates[k] /= row_[k];
  std::vector<double> move = factors_.solve(std::move(rates));
  for (std::size_t k = 0; k < move.size(); ++k) move[k] *= magnitude_[k];
  return move;
}

}  // namespace takt::start
