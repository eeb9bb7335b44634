#pragma once
// Sparse linear algebra with a fixed order of operations: what dense.hpp is for small matrices. Only the order of the
// columns is a library's (COLAMD: whole numbers, the same on every machine).

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/start/dense.hpp"

namespace takt::start {

/// Square matrix by columns, rows ascending within each.
struct SparseMatrix {
  std::vector<std::size_t> start{0};  ///< [column], and the end
  std::vector<std::uint32_t> row;
  std::vector<double> value;

  [[nodiscard]] std::size_t size() const { return start.size() - 1; }
  [[nodiscard]] std::size_t entries() const { return row.size(); }
  void add(std::size_t at_row, double entry) {
    row.push_back(static_cast<std::uint32_t>(at_row));
    value.push_back(entry);
  }
  void end_column() { start.push_back(row.size()); }
  [[nodiscard]] Matrix dense() const;
};

/// Whether elimination of a matrix with so many entries is to be sparse: small ones are not, nor are those that are
/// full.
[[nodiscard]] bool is_sparse(std::size_t size, std::size_t entries);

/// P A Q = L U, column by column, each by what reaches it (J. R. Gilbert, T. Peierls, SIAM J. Sci. Stat. Comput. 9
/// (1988) 862).
class SparseFactorisation {
 public:
  /// @param a  rows of similar size: they are compared as they stand
  /// @param tolerance  columns in which nothing larger is left depend on others and have no pivot
  explicit SparseFactorisation(const SparseMatrix& a, double tolerance = 0.0);
  /// A pivot was zero or not finite: solve() must not be called.
  [[nodiscard]] bool is_singular() const { return rank() < row_place_.size(); }
  /// The determinant is below zero.
  [[nodiscard]] bool is_negative() const;
  [[nodiscard]] std::vector<double> solve(std::vector<double> right) const;
  [[nodiscard]] std::size_t rank() const { return pivot_row_.size(); }
  /// Of the factors.
  [[nodiscard]] std::size_t entries() const { return lower_.row.size() + upper_.row.size() + pivot_.size(); }
  /// A basis of { c : c^T A = 0 }, a vector for each row without pivot.
  [[nodiscard]] std::vector<std::vector<double>> left_null_vectors() const;

 private:
  struct Columns {
    std::vector<std::size_t> start{0};
    std::vector<std::uint32_t> row;
    std::vector<double> value;
  };
  struct Work;

  void eliminate(const SparseMatrix& a, std::uint32_t column, Work& work);
  void reach(const SparseMatrix& a, std::uint32_t column, Work& work) const;

  static constexpr std::uint32_t none = ~std::uint32_t{0};
  double tolerance_;
  std::vector<std::uint32_t> order_;      ///< columns that have a pivot
  std::vector<std::uint32_t> row_place_;  ///< [row] which pivot it is; none
  std::vector<std::uint32_t> pivot_row_;
  std::vector<double> pivot_;
  Columns lower_;  ///< below pivots, by rows of A
  Columns upper_;  ///< above pivots, by places
};

/// As that of dense.hpp.
[[nodiscard]] std::vector<LeftNullVector> left_null_space(const SparseMatrix& a, double tolerance);

}  // namespace takt::start
