#pragma once
// Numbers by which the pivots of a symbolic elimination are judged: every coefficient at a few
// points a plant may be at. Parameters have their own values there.

#include <array>
#include <cstddef>
#include <vector>

#include "codegen/expr/expr.hpp"
#include "codegen/expr/symbol_map.hpp"

namespace takt::codegen {

/// What is known of symbols. Nothing of the rest.
struct KnownAtPivots {
  const SymbolMap<double>* parameters = nullptr;  ///< values that hold at all points
  const SymbolMap<double>* starts = nullptr;      ///< values at the first one
};

inline constexpr std::size_t pivot_points = 4;  ///< the first one at rest: nothing flows
using PointValues = std::array<double, pivot_points>;

/// Between 0 and 1, another number for each index and point, the same every time.
[[nodiscard]] double scattered(std::size_t index, std::size_t point);

/// Value of a symbol at one of these points. What is no parameter takes a magnitude that its unit
/// makes likely, another at each point, the same every time; flows change their sign.
[[nodiscard]] double value_at_pivot_point(const Graph& graph, SymbolId symbol,
                                          const KnownAtPivots& known, std::size_t point);

/// Values of expressions at these points.
[[nodiscard]] std::vector<PointValues> at_pivot_points(const Graph& graph,
                                                       const std::vector<Expr>& expressions,
                                                       const KnownAtPivots& known);

}  // namespace takt::codegen
