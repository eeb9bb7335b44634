#include "codegen/dae/algebra/sparse_probe.hpp"

#include <algorithm>
#include <cmath>

namespace takt::codegen {

SparsePattern pattern_of(const SparseTables& tables) {
  return {static_cast<std::uint32_t>(tables.size()),
          tables.row_start.data(),
          tables.column.data(),
          tables.diagonal.data(),
          tables.equation.data(),
          tables.unknown.data()};
}

FactorsAtPoint factorised(const SparseTables& tables, const std::vector<SparseEntry>& entries,
                          const std::vector<PointValues>& values, std::size_t point) {
  FactorsAtPoint at{std::vector<double>(tables.entries(), 0.0),
                    std::vector<double>(tables.size(), 0.0)};
  for (std::size_t k = 0; k < entries.size(); ++k) {
    at.factors[tables.place[k]] = values[k][point];
    at.largest[entries[k].row] = std::max(at.largest[entries[k].row], std::fabs(values[k][point]));
  }
  std::vector<double> scratch(tables.size());
  factor_sparse(pattern_of(tables), at.factors.data(), scratch.data());
  return at;
}

double probe(const SparseTables& tables, const std::vector<SparseEntry>& entries,
             const std::vector<PointValues>& values) {
  const SparsePattern pattern = pattern_of(tables);
  double worst = 0.0;
  for (std::size_t point = 1; point < pivot_points; ++point) {
    const auto [factors, largest] = factorised(tables, entries, values, point);
    std::vector<double> scratch(tables.size());
    for (const bool by_row : {false, true}) {
      std::vector<double> right(tables.size()), terms(tables.size());
      for (std::size_t row = 0; row < right.size(); ++row) {
        right[row] = (2.0 * scattered(row, 0) - 1.0) * (by_row ? largest[row] : 1.0);
        terms[row] = std::fabs(right[row]);
      }
      std::vector<double> x = right, left = right;
      solve_sparse(pattern, factors.data(), x.data(), scratch.data());
      for (std::size_t k = 0; k < entries.size(); ++k) {
        const double term = values[k][point] * x[entries[k].column];
        left[entries[k].row] -= term, terms[entries[k].row] += std::fabs(term);
      }
      for (std::size_t row = 0; row < left.size(); ++row) {
        if (!std::isfinite(terms[row])) return HUGE_VAL;
        if (terms[row] > 0.0) worst = std::max(worst, std::fabs(left[row]) / terms[row]);
      }
    }
  }
  return worst;
}

}  // namespace takt::codegen
