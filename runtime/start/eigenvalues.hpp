#pragma once
// Eigenvalues of real matrices: dense ones, and the largest of those known by their products only.

#include <complex>
#include <functional>
#include <vector>

#include "runtime/start/dense.hpp"

namespace takt::start {

struct Eigenpairs {
  std::vector<std::complex<double>> values;  ///< largest modulus first
  std::size_t leading = 0;                   ///< largest component of the eigenvector of values[0], in balanced units
  bool converged = true;                     ///< else there are no values
};

/// Balanced (E. E. Osborne, J. ACM 7 (1960)), block by block into real Schur form by Eigen; the eigenvector by inverse
/// iteration. Good to rounding of the largest: what is decided by them must allow for it (is_stable() does).
[[nodiscard]] Eigenpairs eigenvalues(Matrix matrix);

/// Those of largest modulus by Arnoldi's method (loc. cit., sec. 10.5) from a fixed start vector: what has converged to
/// 1 %.
/// @param times  matrix * vector
/// @param steps  dimension of the Krylov space
[[nodiscard]] Eigenpairs largest_eigenvalues(
    std::size_t size, const std::function<std::vector<double>(const std::vector<double>&)>& times, std::size_t steps);

}  // namespace takt::start
