#pragma once
// The functions and members of an FMU's subsystem: the plant's side of it.

#include "codegen/emit/functions.hpp"
#include "codegen/emit/writer.hpp"

namespace takt::codegen {

/// feed(), give(), take(), run().
void emit_foreign(const SubsystemView& view, const ForeignTask& task, Coefficients& coefficients,
                  SubsystemFunctions& functions);
/// What lies between the plant and the FMU.
void write_foreign_members(Writer& text, const SubsystemView& view, const ForeignTask& task);

/// FMUs of the plant for the runtime: what takt-fmu-host must know of each.
void write_foreign(Writer& text, const Network& network);

}  // namespace takt::codegen
