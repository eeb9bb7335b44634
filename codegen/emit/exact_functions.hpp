#pragma once
// What method exact calls of an emitted subsystem (runtime/solver/exact.hpp): driving, loss,
// increments; and its maps.

#include <string>
#include <vector>

#include "codegen/emit/functions.hpp"

namespace takt::codegen {

/// @pre view.plan.linear
/// @param prepare  gets the statements at its end that compute the maps
void emit_exact(const SubsystemView& view, Coefficients& coefficients, Statements& prepare,
                SubsystemFunctions& functions);

/// Declarations of these and of the maps.
void write_exact_members(Writer& text, const SubsystemView& view);

}  // namespace takt::codegen
