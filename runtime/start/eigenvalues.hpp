#pragma once
// Eigenvalues of real matrices: dense ones, and the largest of those known by their products only.

#include <complex>
#include <functional>
#include <vector>

namespace takt::start {

/// Square, row-major.
struct DenseMatrix {
  std::size_t size = 0;
  std::vector<double> entries;
  [[nodiscard]] double at(std::size_t row, std::size_t column) const { return entries[row * size + column]; }
  double& at(std::size_t row, std::size_t column) { return entries[row * size + column]; }
};

struct Eigenpairs {
  std::vector<std::complex<double>> values;  ///< largest modulus first
  std::size_t leading = 0;                   ///< largest component of the eigenvector of values[0], in balanced units
  bool converged = true;
};

/// Balanced (E. E. Osborne, J. ACM 7 (1960)), reduced to Hessenberg form, complex QR steps with Wilkinson's
/// shift (G. H. Golub, C. F. Van Loan, Matrix Computations, 4th ed., sec. 7.4-7.5); the eigenvector by inverse
/// iteration.
[[nodiscard]] Eigenpairs eigenvalues(DenseMatrix matrix);

/// Those of largest modulus by Arnoldi's method (loc. cit., sec. 10.5) from a fixed start vector: what has converged to
/// 1 %.
/// @param times  matrix * vector
/// @param steps  dimension of the Krylov space
[[nodiscard]] Eigenpairs largest_eigenvalues(
    std::size_t size, const std::function<std::vector<double>(const std::vector<double>&)>& times, std::size_t steps);

}  // namespace takt::start
