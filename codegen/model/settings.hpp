#pragma once
// [solve], [sync] and [record]: how the plant is computed and what is kept. Internal to
// codegen/model.

#include "codegen/model/workspace.hpp"

namespace takt::codegen {

/// Reads the three sections; every element, node and symbol exists already. M and S codes.
/// @param solve  what has [solve], [sync] and perhaps [record]: root, or a file of its own
void read_settings(Workspace& work, const TomlValue& root, const TomlValue& solve);

}  // namespace takt::codegen
