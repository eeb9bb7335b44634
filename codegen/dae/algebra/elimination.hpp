#pragma once
// Symbolic Gaussian elimination: straight-line, pivots fixed at generation.

#include <optional>
#include <vector>

#include "codegen/dae/algebra/pivot_points.hpp"
#include "codegen/expr/expr.hpp"
#include "codegen/expr/symbol_map.hpp"

namespace takt::codegen {

/// Dense system matrix * x = right with expressions as entries.
struct LinearSystem {
  std::vector<std::vector<Expr>> matrix;  // [n x n]
  std::vector<Expr> right;                // [n]
};

/// Linear form of residuals in the unknowns; nullopt where one is not linear.
[[nodiscard]] std::optional<LinearSystem> as_linear(Graph& graph,
                                                    const std::vector<Expr>& residuals,
                                                    const std::vector<SymbolId>& unknowns);

/// x as expressions.
struct Eliminated {
  std::vector<Expr> solution;  // [n]
  double growth = 1.0;  ///< of what is subtracted on the way, relative to the largest entries
};

/// Beyond it another order of pivots is looked for: three digits are lost.
inline constexpr double harmless_growth = 1e3;
/// The same for steps of Newton's method: residuals are computed anew, a step of six digits will
/// do.
inline constexpr double harmless_for_newton = 1e9;
/// Beyond it nothing that is computed means anything.
inline constexpr double largest_growth = 1e9;

/// Pivots: diagonal entries first, by least fill (Markowitz), off-diagonal where the diagonal is
/// zero. Where numbers grow that way at a point of pivot_points.hpp, a pivot must besides be at
/// least a tenth of its column there, as all is scaled (threshold pivoting: I. S. Duff, A. M.
/// Erisman, J. K. Reid, Direct Methods for Sparse Matrices, 1986, ch. 5).
/// @param harmless    growth up to which the first order stands
/// @return nullopt where no nonzero pivot is left (structurally singular)
[[nodiscard]] std::optional<Eliminated> eliminate(Graph& graph, const LinearSystem& system,
                                                  const KnownAtPivots& known = {},
                                                  double harmless = harmless_growth);

}  // namespace takt::codegen
