#include "runtime/flat/block_solver.hpp"

#include <algorithm>
#include <cmath>

namespace takt::flat {

BlockSolver::BlockSolver(const Rows& rows, const Blocks& blocks)
    : blocks_(blocks), scale_(blocks.row.size()), pivot_(blocks.row.size()) {
  std::size_t columns = 0, largest = 0;
  for (const Place column : rows.column) columns = std::max<std::size_t>(columns, column + 1);
  for (const std::uint32_t unknown : blocks.unknown) columns = std::max<std::size_t>(columns, unknown + 1);
  std::vector<std::uint32_t> block_of(columns, no_place), column_of(columns, 0);
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    first_.push_back(static_cast<std::uint32_t>(lu_.size()));
    lu_.resize(lu_.size() + size_of(block) * size_of(block));
    largest = std::max(largest, size_of(block));
    for (std::uint32_t k = blocks.start[block]; k < blocks.start[block + 1]; ++k) {
      block_of[blocks.unknown[k]] = static_cast<std::uint32_t>(block);
      column_of[blocks.unknown[k]] = k - blocks.start[block];
    }
  }
  work_.resize(largest);
  for (std::size_t block = 0; block < blocks.size(); ++block)
    for (std::uint32_t k = blocks.start[block]; k < blocks.start[block + 1]; ++k) {
      inner_start_.push_back(static_cast<std::uint32_t>(inner_.size()));
      outer_start_.push_back(static_cast<std::uint32_t>(outer_.size()));
      const auto line = static_cast<std::uint32_t>(first_[block] + (k - blocks.start[block]) * size_of(block));
      for (std::uint32_t slope = rows.row_start[blocks.row[k]]; slope < rows.row_start[blocks.row[k] + 1]; ++slope) {
        const Place column = rows.column[slope];
        if (block_of[column] == block)
          inner_.push_back({slope, line + column_of[column]});
        else if (block_of[column] != no_place)
          outer_.push_back({slope, column});
      }
    }
  inner_start_.push_back(static_cast<std::uint32_t>(inner_.size()));
  outer_start_.push_back(static_cast<std::uint32_t>(outer_.size()));
  outer_value_.resize(outer_.size());
  left_.resize(columns);
}

bool BlockSolver::factorise(const double* slopes) noexcept {
  std::fill(lu_.begin(), lu_.end(), 0.0);
  for (const Entry& entry : inner_) lu_[entry.at] = slopes[entry.slope];
  for (std::size_t k = 0; k < outer_.size(); ++k) outer_value_[k] = slopes[outer_[k].slope];
  for (std::size_t block = 0; block < blocks_.size(); ++block)
    if (!factorise_block(block)) return false;
  return true;
}

bool BlockSolver::factorise_block(std::size_t block) noexcept {
  constexpr double nothing = 1e-14;  // of a scaled row: what cancellation leaves of zero
  const std::size_t size = size_of(block), begin = blocks_.start[block];
  double* a = lu_.data() + first_[block];
  for (std::size_t row = 0; row < size; ++row) {
    double most = 0.0;
    for (std::size_t column = 0; column < size; ++column) most = std::max(most, std::fabs(a[row * size + column]));
    worst_ = blocks_.unknown[begin + row];
    if (!(most > 0.0) || !std::isfinite(most)) return false;
    scale_[begin + row] = 1.0 / most;
    for (std::size_t column = 0; column < size; ++column) a[row * size + column] *= scale_[begin + row];
  }
  for (std::size_t step = 0; step < size; ++step) {
    std::size_t best = step;
    for (std::size_t row = step + 1; row < size; ++row)
      if (std::fabs(a[row * size + step]) > std::fabs(a[best * size + step])) best = row;
    pivot_[begin + step] = static_cast<std::uint32_t>(best);
    if (best != step) std::swap_ranges(a + step * size, a + (step + 1) * size, a + best * size);
    worst_ = blocks_.unknown[begin + step];
    if (!(std::fabs(a[step * size + step]) > nothing)) return false;
    for (std::size_t row = step + 1; row < size; ++row) {
      double& factor = a[row * size + step];
      if (factor == 0.0) continue;
      factor /= a[step * size + step];
      for (std::size_t column = step + 1; column < size; ++column)
        a[row * size + column] -= factor * a[step * size + column];
    }
  }
  return true;
}

void BlockSolver::solve(const double* right, double* result) noexcept {
  for (std::size_t block = 0; block < blocks_.size(); ++block) {
    const std::size_t size = size_of(block), begin = blocks_.start[block];
    const double* a = lu_.data() + first_[block];
    for (std::size_t row = 0; row < size; ++row) {
      double value = right[blocks_.row[begin + row]];
      for (std::uint32_t k = outer_start_[begin + row]; k < outer_start_[begin + row + 1]; ++k)
        value -= outer_value_[k] * result[outer_[k].at];
      work_[row] = value * scale_[begin + row];
    }
    for (std::size_t row = 0; row < size; ++row) std::swap(work_[row], work_[pivot_[begin + row]]);
    for (std::size_t row = 0; row < size; ++row)
      for (std::size_t below = row + 1; below < size; ++below) work_[below] -= a[below * size + row] * work_[row];
    for (std::size_t row = size; row-- > 0;) {
      for (std::size_t column = row + 1; column < size; ++column) work_[row] -= a[row * size + column] * work_[column];
      work_[row] /= a[row * size + row];
    }
    for (std::size_t column = 0; column < size; ++column) result[blocks_.unknown[begin + column]] = work_[column];
  }
}

/// Blocks backwards: what a solved row gives to unknowns of earlier blocks is taken from their right sides.
void BlockSolver::solve_transposed(const double* right, double* result) noexcept {
  std::fill(left_.begin(), left_.end(), 0.0);
  for (std::size_t block = blocks_.size(); block-- > 0;) {
    const std::size_t size = size_of(block), begin = blocks_.start[block];
    const double* a = lu_.data() + first_[block];
    for (std::size_t column = 0; column < size; ++column) {
      const std::uint32_t unknown = blocks_.unknown[begin + column];
      work_[column] = right[unknown] - left_[unknown];
    }
    for (std::size_t row = 0; row < size; ++row) {  // U^T
      for (std::size_t above = 0; above < row; ++above) work_[row] -= a[above * size + row] * work_[above];
      work_[row] /= a[row * size + row];
    }
    for (std::size_t row = size; row-- > 0;)  // L^T
      for (std::size_t below = row + 1; below < size; ++below) work_[row] -= a[below * size + row] * work_[below];
    for (std::size_t row = size; row-- > 0;) std::swap(work_[row], work_[pivot_[begin + row]]);
    for (std::size_t row = 0; row < size; ++row) {
      const double value = work_[row] * scale_[begin + row];
      result[blocks_.row[begin + row]] = value;
      for (std::uint32_t k = outer_start_[begin + row]; k < outer_start_[begin + row + 1]; ++k)
        left_[outer_[k].at] += outer_value_[k] * value;
    }
  }
}

}  // namespace takt::flat
