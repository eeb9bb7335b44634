#pragma once
// Faults of elements: which parameters of the plant they change, and what a plant asks to have
// parameters for them. Internal to codegen/model.

#include "codegen/model/workspace.hpp"

namespace takt::codegen {

/// [plant] faults: patterns of elements and control blocks that get parameters of their own for
/// their faults.
void read_fault_wishes(Workspace& work, const TomlValue& plant);

/// For an element that [plant] faults names: a factor and an offset for each value that is an
/// expression and that a fault changes; for a control block the parameter `frozen`. Call when its
/// own parameters are declared.
void make_fault_parameters(Workspace& work, Instance& instance);

/// What [plant] faults names exists and can fail (M049). Call when all parts are expanded.
void check_fault_wishes(Workspace& work);

/// Lets a block that has the parameter `frozen` hold its outputs and states while that is 1: the
/// first sample is always computed. A block without it stays as it is.
void make_freezable(Workspace& work, const Instance& instance, ControlBlock& block);

/// The faults of all elements, as changes of parameters of the plant, and those that no parameter
/// can bring about. Call when everything is lowered and structural parameters are known.
void collect_faults(Workspace& work);

}  // namespace takt::codegen
