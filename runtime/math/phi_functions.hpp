#pragma once
// Matrix functions that solve linear systems exactly:
//   phi_1(A) = integral over [0, 1] of exp((1 - s) A),   phi_(k+1)(A) = integral of exp((1 - s) A) s^k/k!,   exp(A) = I + A phi_1(A)
// so z' = A z + b0 + b1 t/h + b2 (t/h)^2/2 has z(h) = z + h [phi_1(hA) (A z + b0) + phi_2(hA) b1 + phi_3(hA) b2].
//
// Method: A is balanced by powers of two and halved until its norm is at most 1/2, phi_4 follows from 14 terms of its series, the others from
// phi_k = I/k! + A phi_(k+1), and then the argument is doubled, phi_1(2A) = phi_1 + X phi_1/2 with X = phi_1 A and so on: no
// error of slow modes is doubled every time, as it would be by squaring exp(A).
// Sources: N. J. Higham, Functions of Matrices, SIAM 2008, sec. 10.7.4; B. Skaflestad, W. M. Wright, The scaling and modified squaring method for
// matrix functions related to the exponential, Appl. Numer. Math. 59 (2009), eq. (7).

#include <array>
#include <cstddef>
#include <vector>

namespace takt::math {

class PhiFunctions {
 public:
  /// @param a  [n x n], row-major. Entries that are no finite numbers make all results such. Allocates; about 14 + 4 n^3 * log2|A| operations.
  PhiFunctions(std::size_t n, std::vector<double> a);
  /// From A to 2A.
  void twice();
  /// Entry of phi_k, k = 1..4.
  [[nodiscard]] double entry(int k, std::size_t row, std::size_t column) const {
    return phi_[static_cast<std::size_t>(k - 1)][row * n_ + column] * (scale_[row] / scale_[column]);
  }

 private:
  using Matrix = std::vector<double>;
  void balance();
  void series();
  [[nodiscard]] double norm() const;
  [[nodiscard]] Matrix product(const Matrix& left, const Matrix& right) const;

  std::size_t n_;
  Matrix a_;
  std::vector<double> scale_;  ///< powers of two: the matrix itself has the entries a_ * scale_[row]/scale_[column]
  std::array<Matrix, 4> phi_;
};

}  // namespace takt::math
