#include "codegen/stability/table_solver.hpp"

#include "codegen/dae/algebra/sparse_probe.hpp"

namespace takt::codegen {

void TableSolver::solve(const std::vector<double>& matrix, const std::vector<double>& right) {
  x_ = right;
  scratch_.resize(3 * x_.size());
  factors_.assign(tables_.entries(), 0.0);
  for (std::size_t k = 0; k < matrix.size(); ++k) factors_[tables_.place[k]] = matrix[k];
  if (tables_.twice) matrix_ = factors_;
  const SparsePattern pattern = pattern_of(tables_);
  factor_sparse(pattern, factors_.data(), scratch_.data());
  if (tables_.twice)
    solve_sparse_twice(pattern, {factors_.data(), matrix_.data()}, x_.data(), scratch_.data());
  else
    solve_sparse(pattern, factors_.data(), x_.data(), scratch_.data());
}

std::vector<TableOperation> TableSolver::operations() const {
  std::vector<TableOperation> list;
  for (std::uint32_t row = 0; row < tables_.size(); ++row)
    for (std::uint32_t entry = tables_.row_start[row]; entry < tables_.diagonal[row]; ++entry)
      list.push_back({tables_.equation[row], tables_.equation[tables_.column[entry]], false, false,
                      -factors_[entry]});
  for (std::uint32_t row = static_cast<std::uint32_t>(tables_.size()); row-- > 0;) {
    const std::uint32_t side = tables_.equation[row];
    for (std::uint32_t entry = tables_.diagonal[row] + 1; entry < tables_.row_start[row + 1];
         ++entry)
      list.push_back({side, tables_.unknown[tables_.column[entry]], false, true, -factors_[entry]});
    list.push_back({tables_.unknown[row], side, true, false, factors_[tables_.diagonal[row]]});
  }
  return list;
}

}  // namespace takt::codegen
