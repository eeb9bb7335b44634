#pragma once
// Symbolic Gaussian elimination: straight-line, pivots fixed at generation.

#include <optional>
#include <vector>

#include "codegen/expr/expr.hpp"

namespace takt::codegen {

/// Dense system matrix * x = right with expressions as entries.
struct LinearSystem {
  std::vector<std::vector<Expr>> matrix;  // [n x n]
  std::vector<Expr> right;                // [n]
};

/// Linear form of residuals in the unknowns; nullopt where one is not linear.
[[nodiscard]] std::optional<LinearSystem> as_linear(Graph& graph, const std::vector<Expr>& residuals,
                                                    const std::vector<SymbolId>& unknowns);

/// x as expressions. Pivots: diagonal entries first, by least fill (Markowitz); off-diagonal where the diagonal is
/// zero.
/// @return nullopt where no nonzero pivot is left (structurally singular)
[[nodiscard]] std::optional<std::vector<Expr>> eliminate(Graph& graph, LinearSystem system);

}  // namespace takt::codegen
