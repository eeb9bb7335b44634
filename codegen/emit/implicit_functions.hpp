#pragma once
// What a linearly implicit method calls of an emitted subsystem (runtime/solver/rosenbrock.hpp):
// linearise, factor, solve, quadrature_slopes.

#include "codegen/emit/functions.hpp"

namespace takt::codegen {

/// @pre view.plan.jacobian
void emit_implicit(const SubsystemView& view, Coefficients& coefficients,
                   SubsystemFunctions& functions);

/// Declarations of these and of what they keep.
void write_implicit_members(Writer& text, const SubsystemView& view);

}  // namespace takt::codegen
