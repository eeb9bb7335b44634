#pragma once
// What method exact calls of an emitted subsystem (runtime/solver/exact.hpp): driving, loss, increments; and its maps.

#include <string>
#include <vector>

#include "codegen/emit/functions.hpp"

namespace takt::codegen {

/// @pre view.plan.linear
/// @return the lines at the end of prepare() that compute the maps
[[nodiscard]] std::vector<std::string> emit_exact(const SubsystemView& view, Coefficients& coefficients,
                                                  SubsystemFunctions& functions);

/// Declarations of these and of the maps.
void write_exact_members(Writer& text, const SubsystemView& view);

}  // namespace takt::codegen
