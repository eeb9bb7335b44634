#pragma once
// How well the rows of a sparse system hold that is solved over its tables.

#include <vector>

#include "codegen/dae/algebra/sparse_order.hpp"
#include "runtime/math/sparse_lu.hpp"

namespace takt::codegen {

/// Beyond it a system is solved twice: other right-hand sides leave some hundred times as much.
inline constexpr double harmless_once = 1e-12;

/// takt::SparsePattern over these tables, which outlive it.
[[nodiscard]] SparsePattern pattern_of(const SparseTables& tables);

/// The factors at one of the pivot points, and the largest coefficient of each equation.
struct FactorsAtPoint {
  std::vector<double> factors, largest;
};
[[nodiscard]] FactorsAtPoint factorised(const SparseTables& tables,
                                        const std::vector<SparseEntry>& entries,
                                        const std::vector<PointValues>& values, std::size_t point);

/// Largest of |what a row leaves over| / sum of its |terms|, for right-hand sides of one size and
/// of the size of the rows' largest coefficients, at the points of pivot_points.hpp but the one at
/// rest. Source: W. Oettli, W. Prager, Numer. Math. 6 (1964).
/// @param entries, values  as given to order_pivots()
/// @return HUGE_VAL where something is no number
[[nodiscard]] double probe(const SparseTables& tables, const std::vector<SparseEntry>& entries,
                           const std::vector<PointValues>& values);

}  // namespace takt::codegen
