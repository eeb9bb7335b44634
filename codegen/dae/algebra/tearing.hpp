#pragma once
// Tearing of one strongly connected block: few unknowns are iterated or eliminated, the rest
// follows explicitly.

#include "codegen/dae/algebra/equations.hpp"

namespace takt::codegen {

struct TornBlock {
  std::vector<SymbolId> tears;
  std::vector<Expr>
      residuals;  ///< over tears and what is known before the block; same length as tears
  std::vector<std::size_t> residual_equations;  ///< which equations they are
  std::vector<Assignment> solved;  ///< the other unknowns, in order, once the tears are known
};

/// @param divisors   where given, unknowns are made explicit only by coefficients of these symbols
/// @param preferred  unknowns to tear first (in circuits: see EquationSystem)
[[nodiscard]] TornBlock tear(Graph& graph, const EquationBlock& block,
                             const std::unordered_set<SymbolId>& preferred,
                             const SymbolMap<double>* divisors = nullptr);

}  // namespace takt::codegen
