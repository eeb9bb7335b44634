#pragma once
// Matrix functions that solve linear systems exactly:
//   phi_1(A) = integral over [0, 1] of exp((1 - s) A),   phi_(k+1)(A) = integral of exp((1 - s) A) s^k/k!,   exp(A) = I
//   + A phi_1(A)
// so z' = A z + b0 + b1 t/h + b2 (t/h)^2/2 has z(h) = z + h [phi_1(hA) (A z + b0) + phi_2(hA) b1 + phi_3(hA) b2].
//
// Method: A is balanced by powers of two and halved until its norm is at most 1/2, phi_4 follows from 14 terms of its
// series, the others from phi_k = I/k! + A phi_(k+1), and then the argument is doubled, phi_1(2A) = phi_1 + X phi_1/2
// with X = phi_1 A and so on: no error of slow modes is doubled every time, as it would be by squaring exp(A). Sources:
// N. J. Higham, Functions of Matrices, SIAM 2008, sec. 10.7.4; B. Skaflestad, W. M. Wright, The scaling and modified
// squaring method for matrix functions related to the exponential, Appl. Numer. Math. 59 (2009), eq. (7).

#include <cstddef>
#include <span>

namespace takt::math {

class PhiFunctions {
 public:
  [[nodiscard]] static constexpr std::size_t work_size(std::size_t n) { return n * (7 * n + 1); }
  /// @param work  [work_size(n)], begins with A, row-major, and is used up. Entries that are no finite numbers, or
  /// beyond 1e18, make all results such.
  /// @param count  phi_1 to phi_count are wanted, 1 to 4
  /// Real-time: 17 products of matrices with A, then count + 1 full ones each time the argument is doubled: 1 + log2|A|
  /// times, at most 64.
  PhiFunctions(std::size_t n, std::span<double> work, int count = 4);
  /// From A to 2A.
  void twice();
  /// Entry of phi_k, k = 1..count.
  [[nodiscard]] double entry(int k, std::size_t row, std::size_t column) const {
    return phi(k)[row * n_ + column] * (scale()[row] / scale()[column]);
  }

 private:
  // In work_: A, phi_1 to phi_4, two matrices for products, scales.
  [[nodiscard]] double* matrix(std::size_t k) const { return work_.data() + k * n_ * n_; }
  [[nodiscard]] double* a() const { return matrix(0); }
  [[nodiscard]] double* phi(int k) const { return matrix(static_cast<std::size_t>(k)); }
  [[nodiscard]] double* scale() const {
    return matrix(7);
  }  ///< powers of two: the matrix itself has the entries a * scale[row]/scale[column]
  void balance();
  void series();
  [[nodiscard]] double norm() const;
  void product(const double* left, const double* right, double* result) const;

  std::size_t n_;
  int count_;
  std::span<double> work_;
};

}  // namespace takt::math
