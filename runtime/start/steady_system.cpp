#include "runtime/start/steady_system.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

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

/// By columns: rows of the sums, then those of the rates.
SparseMatrix matrix_of(const SteadyUnknowns& unknowns, std::span<const std::size_t> row_of_sum) {
  const SparseMatrix& jacobian = unknowns.jacobian;
  const std::size_t n = jacobian.size();
  std::vector<std::size_t> sum_of_row(n, unknowns.sums.size());
  for (std::size_t sum = 0; sum < row_of_sum.size(); ++sum) sum_of_row[row_of_sum[sum]] = sum;
  std::vector<double> entry(n, 0.0);
  SparseMatrix a;
  for (std::size_t column = 0; column < n; ++column) {
    std::vector<std::uint32_t> rows(jacobian.row.begin() + static_cast<std::ptrdiff_t>(jacobian.start[column]),
                                    jacobian.row.begin() + static_cast<std::ptrdiff_t>(jacobian.start[column + 1]));
    for (std::size_t k = jacobian.start[column]; k < jacobian.start[column + 1]; ++k)
      entry[jacobian.row[k]] = -jacobian.value[k];
    entry[column] += unknowns.magnitude[column] / unknowns.seconds[column];
    rows.push_back(static_cast<std::uint32_t>(column));
    for (const std::size_t row : row_of_sum) rows.push_back(static_cast<std::uint32_t>(row));
    std::ranges::sort(rows);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    for (const std::uint32_t row : rows) {
      const std::size_t sum = sum_of_row[row];
      if (sum < unknowns.sums.size())
        entry[row] = unknowns.sums[sum].c[unknowns.index[column]] * unknowns.magnitude[column];
      if (entry[row] != 0.0) a.add(row, entry[row]);
      entry[row] = 0.0;
    }
    a.end_column();
  }
  return a;
}

/// The largest element of every row becomes 1.
SparseMatrix scaled(SparseMatrix a, std::vector<double>& scale) {
  scale.assign(a.size(), 0.0);
  for (std::size_t k = 0; k < a.entries(); ++k) scale[a.row[k]] = std::max(scale[a.row[k]], std::fabs(a.value[k]));
  for (double& most : scale)
    if (!(most > 0.0)) most = 1.0;
  for (std::size_t k = 0; k < a.entries(); ++k) a.value[k] /= scale[a.row[k]];
  return a;
}

std::variant<Factorisation, SparseFactorisation> factors_of(const SparseMatrix& a) {
  if (is_sparse(a.size(), a.entries())) return SparseFactorisation(a);
  return Factorisation(a.dense());
}

}  // namespace

SteadySystem::SteadySystem(const SteadyUnknowns& unknowns)
    : magnitude_(unknowns.magnitude),
      row_of_sum_(rows_of(unknowns)),
      factors_(factors_of(scaled(matrix_of(unknowns, row_of_sum_), row_))) {}

std::vector<double> SteadySystem::solve(std::vector<double> rates, std::span<const double> short_of) const {
  for (std::size_t sum = 0; sum < row_of_sum_.size(); ++sum) rates[row_of_sum_[sum]] = short_of[sum];
  for (std::size_t k = 0; k < rates.size(); ++k) rates[k] /= row_[k];
  std::vector<double> move = std::visit([&](const auto& factors) { return factors.solve(std::move(rates)); }, factors_);
  for (std::size_t k = 0; k < move.size(); ++k) move[k] *= magnitude_[k];
  return move;
}

}  // namespace takt::start
