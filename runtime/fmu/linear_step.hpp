#pragma once
// The linear system of a linearly implicit step.

#include <cstddef>
#include <span>
#include <vector>

namespace takt::fmu {

/// I - gh*J = L U with exchanges of rows (Golub, Van Loan, Matrix Computations, algorithm 3.4.1).
class LinearStep {
 public:
  explicit LinearStep(std::size_t n) : lu_(n * n), work_(n), row_(n) {}
  /// @param jacobian  [n x n], row-major  @return false: singular, or not finite. Real-time: n^3/3 operations, no heap.
  [[nodiscard]] bool factor(std::span<const double> jacobian, double gh) noexcept;
  /// In place.  @pre factor()
  void solve(std::span<double> b) noexcept;

 private:
  std::vector<double> lu_, work_;
  std::vector<std::size_t> row_;  // of the matrix that stands in this place
};

}  // namespace takt::fmu
