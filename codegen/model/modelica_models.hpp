#pragma once
// [model]: models in Modelica whose connectors join circuits of the plant.

#include "codegen/model/workspace.hpp"

namespace takt::codegen {

/// Each becomes an element of the section in which its first connector lies; reported where it
/// cannot be: D001 to D032.
void declare_models(Workspace& work, const TomlValue& models);

}  // namespace takt::codegen
