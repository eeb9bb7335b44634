#pragma once
// Inductors that switches and diodes leave without a path: an internal step of analyse_switches().

#include "codegen/topology/switching_branch.hpp"

namespace takt::codegen {

/// Inductors (and current sources) in cutsets with nothing but switching branches and other
/// inductors. A cutset of inductors alone floats always and is not among them: it is a matter of
/// the circuit's index.
[[nodiscard]] std::vector<FloatingInductor> find_floating_inductors(
    const Network& network, const CircuitTopology& circuit,
    const std::vector<SwitchingBranch>& switches);

}  // namespace takt::codegen
