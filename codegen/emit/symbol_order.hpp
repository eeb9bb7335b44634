#pragma once
// Symbols in an order that copies of a part have in common.

#include <vector>

#include "codegen/expr/expr.hpp"

namespace takt::codegen {

/// Symbols below the roots, each once, as one meets them from left to right. By their numbers those
/// of a copy may stand in another order.
[[nodiscard]] std::vector<SymbolId> symbols_in_order(const Graph& graph,
                                                     const std::vector<Expr>& roots);

}  // namespace takt::codegen
