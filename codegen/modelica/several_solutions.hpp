#pragma once
// Equations between unknowns of which one solution was found, and there may be others.

#include "codegen/modelica/reduced_model.hpp"

namespace takt::codegen::modelica {

/// Warns (D033) where the determinant of the equations for rates and unknowns has one sign at the
/// start and another beyond a relation at which a slope changes: a piecewise linear map whose
/// pieces turn it differently takes some values several times (T. Fujisawa, E. S. Kuh,
/// Piecewise-linear theory of nonlinear networks, SIAM J. Appl. Math. 22 (1972), 307-328). So it is
/// of an amplifier with positive feedback, which a plant would leave at rest in the middle.
void tell_several_solutions(ScalarModel& model, const ReducedModel& reduced,
                            Diagnostics& diagnostics);

}  // namespace takt::codegen::modelica
