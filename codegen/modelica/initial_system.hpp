#pragma once
// The start of a model: fixed start values and initial equations, solved with the equations at time
// 0.

#include "codegen/modelica/reduced_model.hpp"

namespace takt::codegen::modelica {

/// Start values of states and unknowns. Where the model has more to solve than x = start, the
/// parameters that the solution was found with become numbers: another value of theirs would need
/// another start. Reports D025 where there is no solution, or more equations than the model leaves
/// free.
void solve_start(ScalarModel& model, ReducedModel& reduced, Diagnostics& diagnostics);

}  // namespace takt::codegen::modelica
