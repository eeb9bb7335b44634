#pragma once
// Small dense linear algebra with a fixed order of operations: what it computes becomes states of plants (a steady
// start) and the path along which the generator judges steps, so it must have the same bits on every machine. Libraries
// that block by cache size or reduce by vector width do not give that; eigenvalues, which only bound steps, are
// Eigen's.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace takt::start {

/// Row-major square matrix.
class Matrix {
 public:
  Matrix() = default;
  explicit Matrix(std::size_t n) : n_(n), values_(n * n, 0.0) {}
  [[nodiscard]] std::size_t size() const { return n_; }
  double* operator[](std::size_t row) { return values_.data() + row * n_; }
  const double* operator[](std::size_t row) const { return values_.data() + row * n_; }
  [[nodiscard]] std::span<const double> entries() const { return values_; }

 private:
  std::size_t n_ = 0;
  std::vector<double> values_;
};

enum class Pivots : std::uint8_t {
  largest,  ///< of the column: rows must be of similar size, they are compared as they stand
  diagonal  ///< the same in all units of the states: for I - h*J
};

/// A = L U. Golub, Van Loan, Matrix Computations, algorithm 3.4.1.
class Factorisation {
 public:
  explicit Factorisation(Matrix a, Pivots pivots = Pivots::largest);
  /// A pivot was zero or not finite: solve() must not be called.
  [[nodiscard]] bool is_singular() const { return singular_; }
  /// The determinant is below zero.
  [[nodiscard]] bool is_negative() const { return negative_; }
  [[nodiscard]] std::vector<double> solve(std::vector<double> right) const;

 private:
  void eliminate(std::size_t k, std::size_t end, Pivots pivots);
  void follow(std::size_t first, std::size_t end);

  Matrix a_;
  std::vector<std::size_t> row_;  ///< of the given matrix that stands in this place
  bool singular_ = false, negative_ = false;
};

/// A basis of { c : c^T A = 0 } by elimination with complete pivoting; what is left below `tolerance` of the largest
/// element counts as zero. The basis is reduced: each vector has a place where it is 1 and all others are 0.
struct LeftNullVector {
  std::size_t pivot = 0;  ///< the place that is its own
  std::vector<double> c;
};
/// Gauss-Jordan: in the place of each vector's largest element all others become 0.
void reduce(std::vector<LeftNullVector>& basis);
/// @param a  rows and columns of similar size
[[nodiscard]] std::vector<LeftNullVector> left_null_space(Matrix a, double tolerance);

}  // namespace takt::start
