#pragma once
// What is reported of equations that cannot be sorted or solved: T010, T027, T028. Internal to
// codegen/dae/algebra.

#include <string>
#include <vector>

#include "codegen/dae/algebra/equations.hpp"
#include "codegen/dae/algebra/matching.hpp"

namespace takt::codegen {

/// Residual of an equation: zero where it holds.
[[nodiscard]] Expr residual_of(Graph& graph, const Equation& equation);

/// What a linear system is solved for, and where it comes from.
struct Sought {
  const std::vector<SymbolId>& unknowns;
  const Location& where;
};

/// Of one circuit.
class SortingFindings {
 public:
  SortingFindings(Graph& graph, const std::string& circuit, Diagnostics& diagnostics)
      : graph_(graph), circuit_(circuit), diagnostics_(diagnostics) {}

  /// @pre the matching is not complete
  void singular(const EquationSystem& system, const Matching& matching);
  void no_solution(const Sought& asked);
  /// @param growth  of numbers in the elimination
  void growth(const Sought& asked, double growth);
  /// Linear equations are solved over tables, however many: a law that keeps them from that is
  /// named.
  void too_large(const std::vector<SymbolId>& tears, const EquationBlock& block);

 private:
  Graph& graph_;
  const std::string& circuit_;
  Diagnostics& diagnostics_;
};

}  // namespace takt::codegen
