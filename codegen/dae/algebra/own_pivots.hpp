#pragma once
// Pivots and fill-in of a sparse linear system whose equations each serve one unknown only, as
// those of streams do.

#include <optional>
#include <vector>

#include "codegen/dae/algebra/sparse_order.hpp"

namespace takt::codegen {

/// Pivots are given, only their order is chosen: approximate minimum degree of the pattern and its
/// transpose (network_order.hpp). Fill-in is about that of the search among rows and columns, at a
/// small part of its cost.
/// @param entries, values, only  as given to order_pivots()
/// @return nullopt where an equation may serve several unknowns, or two the same one, or where
/// solutions by these
///         pivots do not hold to `harmless_once` at the pivot points, or entries grow by more than
///         `harmless_growth`
[[nodiscard]] std::optional<SparseTables> order_own_pivots(
    const std::vector<SparseEntry>& entries, const std::vector<PointValues>& values,
    const std::vector<std::optional<std::size_t>>& only);

}  // namespace takt::codegen
