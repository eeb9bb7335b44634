#pragma once
// Functions that give a subsystem its start values.

#include "codegen/emit/functions.hpp"

namespace takt::codegen {

/// start() and initialize().
void emit_initialize(const SubsystemView& view, Coefficients& coefficients,
                     SubsystemFunctions& functions);

}  // namespace takt::codegen
