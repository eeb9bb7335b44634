#include "runtime/fmu/linear_step.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace takt::fmu {

bool LinearStep::factor(std::span<const double> jacobian, double gh) noexcept {
  const std::size_t n = row_.size();
  const auto at = [&](std::size_t row, std::size_t column) -> double& { return lu_[row * n + column]; };
  for (std::size_t k = 0; k < n * n; ++k) lu_[k] = -gh * jacobian[k];
  for (std::size_t k = 0; k < n; ++k) at(k, k) += 1.0;
  std::iota(row_.begin(), row_.end(), std::size_t{0});
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t row = k + 1; row < n; ++row)
      if (std::fabs(at(row, k)) > std::fabs(at(pivot, k))) pivot = row;
    if (!(std::fabs(at(pivot, k)) > 0.0) || !std::isfinite(at(pivot, k))) return false;
    if (pivot != k) {
      for (std::size_t column = 0; column < n; ++column) std::swap(at(k, column), at(pivot, column));
      std::swap(row_[k], row_[pivot]);
    }
    for (std::size_t row = k + 1; row < n; ++row) {
      const double factor = at(row, k) /= at(k, k);
      if (factor == 0.0) continue;
      for (std::size_t column = k + 1; column < n; ++column) at(row, column) -= factor * at(k, column);
    }
  }
  return true;
}

void LinearStep::solve(std::span<double> b) noexcept {
  const std::size_t n = row_.size();
  for (std::size_t row = 0; row < n; ++row) {
    double sum = b[row_[row]];
    for (std::size_t column = 0; column < row; ++column) sum -= lu_[row * n + column] * work_[column];
    work_[row] = sum;
  }
  for (std::size_t row = n; row-- > 0;) {
    double sum = work_[row];
    for (std::size_t column = row + 1; column < n; ++column) sum -= lu_[row * n + column] * b[column];
    b[row] = sum / lu_[row * n + row];
  }
}

}  // namespace takt::fmu
