#pragma once
// Time derivatives along the solution, for outputs such as the current of a dependent capacitor.

#include "codegen/dae/sorting.hpp"

namespace takt::codegen {

/// d/dt of a stored quantity by the chain rule: states move by their derivatives, time by 1, assigned symbols by their
/// definitions; parameters and inputs are held. nullopt where a Newton unknown or a late symbol would be needed.
class TimeDerivative {
 public:
  TimeDerivative(Graph& graph, SymbolId time, const std::vector<SurrogateState>& states, const std::vector<AlgebraicStep>& early,
                 const std::vector<AlgebraicStep>& late);
  [[nodiscard]] std::optional<Expr> of(SymbolId symbol);

 private:
  std::optional<Expr> of_expression(Expr expression);

  Graph& graph_;
  std::unordered_map<SymbolId, Expr> assigned_;
  std::unordered_map<SymbolId, Expr> rate_;       ///< known rates: states, time, and what was derived
  std::unordered_set<SymbolId> unavailable_;
};

}  // namespace takt::codegen
