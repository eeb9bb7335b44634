#pragma once
// How well linear equations hold by a solution that was written out for them.

#include <vector>

#include "codegen/dae/algebra/equations.hpp"

namespace takt::codegen {

/// Beyond it another way to solve a block is looked for: what is left of doubles' sixteen digits.
inline constexpr double harmless_error = 1e-10;

/// Largest backward error of the equations 0 = residual by these assignments, carried out in this
/// order: what is left over, by the magnitudes of its own terms and a tenth of the largest in the
/// block. At the points of pivot_points.hpp but the one at rest. Source: W. Oettli, W. Prager,
/// Numer. Math. 6 (1964).
/// @return HUGE_VAL where something is no number
[[nodiscard]] double probe(Graph& graph, const std::vector<Expr>& residuals,
                           const std::vector<Assignment>& solution, const KnownAtPivots& known);

}  // namespace takt::codegen
