#pragma once
// Pivots and fill-in of a sparse linear system, chosen once from the values of its coefficients:
// what runtime/math/sparse_lu.hpp then factorises over index tables.

#include <cstdint>
#include <optional>
#include <vector>

#include "codegen/dae/algebra/pivot_points.hpp"

namespace takt::codegen {

/// A coefficient that is not zero.
struct SparseEntry {
  std::size_t row = 0, column = 0;
  Expr value{};
};

/// takt::SparsePattern with its tables, and where the coefficients go.
struct SparseTables {
  std::vector<std::uint32_t> row_start, column, diagonal, equation, unknown;
  std::vector<std::uint32_t> place;  ///< of each coefficient among the entries
  double growth = 1.0;  ///< of what is subtracted on the way, relative to the largest coefficients
  bool twice =
      false;  ///< solved once more for what the first solution leaves over (sparse_probe.hpp)
  [[nodiscard]] std::size_t size() const { return diagonal.size(); }
  [[nodiscard]] std::size_t entries() const { return column.size(); }
};

/// Threshold Markowitz: least fill among entries of at least a tenth of their columns at every
/// point of pivot_points.hpp but the one at rest. Source: J. A. Tomlin, in: Large Sparse Sets of
/// Linear Equations (1971); few rows and columns are searched: Z. Zlatev, SIAM J. Numer. Anal. 17
/// (1980).
/// @param values  of the entries, without repetition of places
/// @param only    of each row: the only column its pivot may stand in, where there is such
/// @return nullopt where no pivot is left that is a number other than zero
[[nodiscard]] std::optional<SparseTables> order_pivots(
    std::size_t size, const std::vector<SparseEntry>& entries,
    const std::vector<PointValues>& values,
    const std::vector<std::optional<std::size_t>>& only = {});

}  // namespace takt::codegen
