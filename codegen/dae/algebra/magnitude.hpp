#pragma once
// What a residual is measured by.

#include "codegen/expr/expr.hpp"

namespace takt::codegen {

/// Sum of |terms| of a sum: the residual of an equation divided by it says how well the equation holds, whatever its
/// unit. A factor common to all terms is taken apart: |f|*(|a| + |b|) for f*(a - b).
[[nodiscard]] Expr magnitude(Graph& graph, Expr e);

/// Unit of a sum: that of its first term that is a symbol, alone or times a constant; empty where there is none.
[[nodiscard]] std::string unit_of_sum(const Graph& graph, Expr e);

}  // namespace takt::codegen
