#pragma once
// Linear systems of a fixed sparsity pattern: A x = b by A = L U, pivots and fill-in chosen when the plant was
// generated (codegen/dae/algebra/sparse_order.hpp). Rows are eliminated one after another over index tables, each sum
// in the order of its table, so that the bits are the same everywhere.

#include <cstdint>

namespace takt {

/// Where the entries of L and U stand. Rows and columns are numbered in the order of their pivots.
struct SparsePattern {
  std::uint32_t size = 0;
  const std::uint32_t* row_start = nullptr;  ///< [size + 1] first entry of each row
  const std::uint32_t* column = nullptr;     ///< [entries] ascending within a row: L, diagonal, U
  const std::uint32_t* diagonal = nullptr;   ///< [size] entry
  const std::uint32_t* equation = nullptr;   ///< [size] place of the row's right-hand side
  const std::uint32_t* unknown = nullptr;    ///< [size] place of the column's unknown
};

/// A in its entries, fill-in zero, becomes L (1 on its diagonal, which is not stored) and U (reciprocals on its
/// diagonal).
/// @param entries  [entries]   @param scratch  [size]   Real-time: bounded by the pattern, no heap.
inline void factor_sparse(const SparsePattern& pattern, double* entries, double* scratch) noexcept {
  for (std::uint32_t row = 0; row < pattern.size; ++row) {
    const std::uint32_t begin = pattern.row_start[row], end = pattern.row_start[row + 1],
                        diagonal = pattern.diagonal[row];
    for (std::uint32_t entry = begin; entry < end; ++entry) scratch[pattern.column[entry]] = entries[entry];
    for (std::uint32_t entry = begin; entry < diagonal; ++entry) {
      const std::uint32_t pivot = pattern.column[entry];
      const double factor = scratch[pivot] * entries[pattern.diagonal[pivot]];
      entries[entry] = factor;
      for (std::uint32_t upper = pattern.diagonal[pivot] + 1; upper < pattern.row_start[pivot + 1]; ++upper)
        scratch[pattern.column[upper]] -= factor * entries[upper];
    }
    entries[diagonal] = 1.0 / scratch[row];
    for (std::uint32_t entry = diagonal + 1; entry < end; ++entry) entries[entry] = scratch[pattern.column[entry]];
  }
}

/// @param factors  what factor_sparse() left   @param x  [size] in: right-hand sides, out: unknowns
/// @param scratch  [size]   Real-time: bounded by the pattern, no heap.
inline void solve_sparse(const SparsePattern& pattern, const double* factors, double* x, double* scratch) noexcept {
  for (std::uint32_t row = 0; row < pattern.size; ++row) {
    double sum = x[pattern.equation[row]];
    for (std::uint32_t entry = pattern.row_start[row]; entry < pattern.diagonal[row]; ++entry)
      sum -= factors[entry] * scratch[pattern.column[entry]];
    scratch[row] = sum;
  }
  for (std::uint32_t row = pattern.size; row-- > 0;) {
    double sum = scratch[row];
    for (std::uint32_t entry = pattern.diagonal[row] + 1; entry < pattern.row_start[row + 1]; ++entry)
      sum -= factors[entry] * scratch[pattern.column[entry]];
    scratch[row] = sum * factors[pattern.diagonal[row]];
    x[pattern.unknown[row]] = scratch[row];
  }
}

/// What solve_sparse_twice() needs of one matrix.
struct SparseRefined {
  const double* factors = nullptr;  ///< [entries] what factor_sparse() left
  const double* matrix = nullptr;   ///< [entries] what it was given
};

/// As solve_sparse(), and once more for what the first solution leaves over: then rows hold whose terms are small
/// beside those of others. Source: R. D. Skeel, Math. Comp. 35 (1980); M. Arioli, J. W. Demmel, I. S. Duff, SIAM J.
/// Matrix Anal. Appl. 10 (1989) (sparse systems).
/// @param scratch  [3 size]   Real-time: bounded by the pattern, no heap.
inline void solve_sparse_twice(const SparsePattern& pattern, const SparseRefined& refined, double* x,
                               double* scratch) noexcept {
  double *right = scratch + pattern.size, *left = right + pattern.size;
  for (std::uint32_t k = 0; k < pattern.size; ++k) right[k] = x[k];
  solve_sparse(pattern, refined.factors, x, scratch);
  for (std::uint32_t row = 0; row < pattern.size; ++row) {
    double sum = right[pattern.equation[row]];
    for (std::uint32_t entry = pattern.row_start[row]; entry < pattern.row_start[row + 1]; ++entry)
      sum -= refined.matrix[entry] * x[pattern.unknown[pattern.column[entry]]];
    left[pattern.equation[row]] = sum;
  }
  solve_sparse(pattern, refined.factors, left, scratch);
  for (std::uint32_t k = 0; k < pattern.size; ++k) x[k] += left[k];
}

}  // namespace takt
