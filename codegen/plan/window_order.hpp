#pragma once
// In which order the windows of a plan are computed, on every level of its groups.

#include <vector>

#include "codegen/plan/couplings.hpp"
#include "codegen/plan/plan.hpp"

namespace takt::codegen {

/// Fills Plan::order, and lag, order and reason of each coupling. On each level the members of a
/// group, subsystems and groups, are ordered by the group's `sequence`, then, where it has a
/// scheme, by rate (the micro-step of a subsystem, the shortest one in a group), then by
/// dependency: producers first, cycles broken where extrapolation costs least. decoupled: members
/// of different rates both extrapolate. jacobi: all members do.
/// @param costs  parallel to Plan::couplings
void order_windows(Plan& plan, const Network& network, const DaeResult& dae,
                   const std::vector<Extrapolation>& costs);

}  // namespace takt::codegen
