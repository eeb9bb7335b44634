#pragma once
// Small dense matrices, row-major: solved with full pivoting, their eigenvalues estimated.

#include <cstddef>
#include <span>
#include <vector>

namespace takt::fmu::join {

/// Rows and columns are scaled by their largest entries first, so that units do not decide what is singular.
class Dense {
 public:
  explicit Dense(std::size_t n);
  /// False where the rank is below n: a pivot at most 1e-9 of the first. Real-time: n^3 operations, no heap.
  bool factor(std::span<const double> matrix) noexcept;
  /// @pre factor() was true
  void solve(std::span<const double> right, std::span<double> solution) noexcept;
  /// After factor() was false: indices of unknowns that can change together without any effect. Not real-time.
  [[nodiscard]] std::vector<std::size_t> undetermined() const;

 private:
  [[nodiscard]] double& at(std::size_t row, std::size_t column) noexcept { return lu_[row * n_ + column]; }
  [[nodiscard]] double at(std::size_t row, std::size_t column) const noexcept { return lu_[row * n_ + column]; }
  void scale(std::span<const double> matrix) noexcept;
  std::size_t n_, rank_ = 0;
  std::vector<double> lu_, row_scale_, column_scale_, work_;
  std::vector<std::size_t> rows_, columns_;
};

/// Largest absolute eigenvalue, by 2000 products. Not real-time.
[[nodiscard]] double spectral_radius(std::span<const double> matrix, std::size_t n);

}  // namespace takt::fmu::join
