#pragma once
// [fmu]: Functional Mock-up Units as parts of a plant. Internal to codegen/model.

#include "codegen/model/workspace.hpp"

namespace takt::codegen {

/// Reads the FMUs of the section and makes the symbols of their inputs and outputs. Codes Y1xx, and
/// those of the reader.
void declare_foreign(Workspace& work, const TomlValue& section);

/// What their inputs are fed with, and their parameters; all names of the plant are known.
void lower_foreign(Workspace& work);

}  // namespace takt::codegen
