#pragma once
// Algebraic equations into an order of evaluation: matching, strongly connected blocks (BLT),
// tearing, and symbolic elimination of linear blocks. Nonlinear blocks become Newton blocks with
// their step already eliminated.

#include "codegen/dae/algebra/equations.hpp"

namespace takt::codegen {

/// Sorts the system. Unknowns in `differentiated` are defined later by time derivatives: here they
/// count as known, and what depends on them is returned in `late`.
struct SortedAlgebra {
  std::vector<AlgebraicStep> early;
  std::vector<AlgebraicStep> late;
  std::vector<EquationCheck> checks;  ///< equations of blocks that were solved together
};

[[nodiscard]] std::optional<SortedAlgebra> sort_equations(Graph& graph,
                                                          const EquationSystem& system,
                                                          const std::string& circuit,
                                                          Diagnostics& diagnostics);

}  // namespace takt::codegen
