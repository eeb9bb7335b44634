#pragma once
// The functions of a control task.

#include "codegen/emit/functions.hpp"

namespace takt::codegen {

/// tick(), run().
void emit_control(const SubsystemView& view, const ControlTask& task, Coefficients& coefficients,
                  SubsystemFunctions& functions);

}  // namespace takt::codegen
