#pragma once
// `ports` of an FMU: where it joins circuits of the plant. Internal to codegen/model.

#include "codegen/model/workspace.hpp"

namespace takt::codegen {

/// Reads the ports of an FMU whose inputs and outputs have been read: each becomes a source of its
/// circuit, `rotational.fmu.engine.shaft`, that follows an output, and an input of the FMU fed with
/// the other variable of that source. Y130 form, Y131 place, Y132 variables, Y133 units.
/// @param model  the FMU, which is the next of Network::foreign
void declare_ports(Workspace& work, const TomlValue& ports, ForeignModel& model);

}  // namespace takt::codegen
