#pragma once
// Equations that tie states to each other or to the time, whatever rates and unknowns are.

#include <map>
#include <string>
#include <vector>

#include "codegen/modelica/reduced_model.hpp"

namespace takt::codegen::modelica {

/// Equations beyond those that rates and unknowns can be matched to, with all that these are
/// reached from: the part that has more equations than unknowns (A. L. Dulmage, N. S. Mendelsohn,
/// Coverings of bipartite graphs, Canad. J. Math. 10 (1958), 517-534). Empty: states are free.
[[nodiscard]] std::vector<const ScalarEquation*> state_constraints(const ScalarModel& model,
                                                                   const ReducedModel& reduced);

/// What follows from them for rates, and for rates of rates.
struct HiddenConstraints {
  std::vector<Expr> equations;       ///< that are 0
  std::vector<std::string> origins;  ///< of each: the equation that it is a derivative of
  std::vector<SymbolId> rates;       ///< that stand in them alone, unknown
};

/// Equations are differentiated as often as it takes to determine the highest derivatives (J. D.
/// Pryce, BIT 41 (2001), 364-394). Nothing where the model has more or fewer equations than
/// variables, or where some cannot be assigned.
/// @param asked  rates that stand in initial equations alone, of unknowns or rates of states
[[nodiscard]] HiddenConstraints hidden_constraints(ScalarModel& model, const ReducedModel& reduced,
                                                   const std::map<SymbolId, SymbolId>& asked);

/// Reports D020 where what ties states changes at an event: states would jump together, by an
/// impulse that no equation of the model gives.
void refuse_jumping_constraints(const ScalarModel& model, const ReducedModel& reduced,
                                Diagnostics& diagnostics);

}  // namespace takt::codegen::modelica
