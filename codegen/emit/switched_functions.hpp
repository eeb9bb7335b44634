#pragma once
// The functions of a switched circuit that runtime/solver/switched.hpp calls.

#include "codegen/emit/functions.hpp"

namespace takt::codegen {

/// solve, gates, edges.
/// @param factored  the view with modes, gates, points, held inputs and the step as fixed symbols
void emit_switched(const ViewCode& plain, const ViewCode& factored, SubsystemFunctions& functions);

/// hold_inputs(): after factor().
void emit_hold_inputs(const SubsystemView& view, Coefficients& coefficients,
                      const Coefficients& held, SubsystemFunctions& functions);

/// factor(): after everything else that uses `factors`, before prepare().
void emit_factor(const SubsystemView& held, Coefficients& coefficients, const Coefficients& factors,
                 SubsystemFunctions& functions);

/// Members and declarations beyond those of every subsystem.
void write_switched_members(Writer& text, const SubsystemView& view,
                            const SubsystemFunctions& functions);

}  // namespace takt::codegen
