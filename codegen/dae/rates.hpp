#pragma once
// Time derivatives along the solution, for outputs such as the current of a dependent capacitor.

#include "codegen/dae/algebra/sorting.hpp"

namespace takt::codegen {

/// d/dt of a stored quantity by the chain rule: states move by their derivatives, time by 1,
/// assigned symbols by their definitions, unknowns of Newton blocks by the implicit function
/// theorem; parameters and inputs are held. nullopt where a late symbol would be needed.
class TimeDerivative {
 public:
  /// @param algebra     outlives this
  /// @param parameters  values by which pivots are judged; they outlive this
  TimeDerivative(const Network& network, const std::vector<SurrogateState>& states,
                 const SortedAlgebra& algebra, const SymbolMap<double>* parameters);
  [[nodiscard]] std::optional<Expr> of(SymbolId symbol);
  /// What the rates given so far read: those of blocks that are solved over tables.
  [[nodiscard]] const std::vector<AlgebraicStep>& blocks() const { return blocks_; }

 private:
  /// @param without  symbols whose part is left out
  std::optional<Expr> of_expression(Expr expression,
                                    const std::unordered_set<SymbolId>* without = nullptr);
  /// Rates of a block's unknowns u from its residuals r(u, k) = 0: dr/du u' = -dr/dk k'.
  [[nodiscard]] bool is_held(SymbolId symbol) const;  ///< a parameter or an input
  bool solve(const NewtonBlock& block);
  /// The same matrix again, for matrix * u' = right' - matrix' * u.
  bool solve_over_tables(const NewtonBlock& block);
  bool solve_network(const NewtonBlock& block);
  SymbolId make_rate(SymbolId unknown, AlgebraicStep& step);

  Graph& graph_;
  const SymbolMap<double>* parameters_;
  std::unordered_map<SymbolId, Expr> assigned_;
  std::unordered_map<SymbolId, Expr> rate_;  ///< known rates: states, time, and what was derived
  std::unordered_map<SymbolId, const NewtonBlock*> block_of_;
  std::unordered_set<SymbolId> unavailable_;
  std::vector<AlgebraicStep> blocks_;
};

}  // namespace takt::codegen
