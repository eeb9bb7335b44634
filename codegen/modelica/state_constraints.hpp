#pragma once
// Equations that tie states to each other or to the time, whatever rates and unknowns are.

#include "codegen/modelica/reduced_model.hpp"

namespace takt::codegen::modelica {

/// Equations beyond those that rates and unknowns can be matched to, with all that these are
/// reached from: the part that has more equations than unknowns (A. L. Dulmage, N. S. Mendelsohn,
/// Coverings of bipartite graphs, Canad. J. Math. 10 (1958), 517-534). Empty: states are free.
[[nodiscard]] std::vector<const ScalarEquation*> state_constraints(const ScalarModel& model,
                                                                   const ReducedModel& reduced);

/// What follows from them for rates: 0 = c(x, t), so 0 = dc/dt, and again where rates are states
/// themselves, as those of positions are (C. C. Pantelides, SIAM J. Sci. Stat. Comput. 9 (1988),
/// 213-231, for constraints of states alone). Expressions that are 0.
[[nodiscard]] std::vector<Expr> hidden_constraints(ScalarModel& model, const ReducedModel& reduced);

/// Reports D020 where what ties states changes at an event: states would jump together, by an
/// impulse that no equation of the model gives.
void refuse_jumping_constraints(const ScalarModel& model, const ReducedModel& reduced,
                                Diagnostics& diagnostics);

}  // namespace takt::codegen::modelica
