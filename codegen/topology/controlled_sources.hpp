#pragma once
// Sources that follow a variable of their own circuit.

#include "codegen/topology/topology.hpp"

namespace takt::codegen {

/// Whether there is one: then the tree does not see all that ties the equations of the circuit.
[[nodiscard]] bool has_controlled_sources(const Network& network, const CircuitTopology& circuit);

/// Whether there is one among these branches.
[[nodiscard]] bool any_controlled(const Network& network, const CircuitTopology& circuit,
                                  const std::vector<BranchId>& branches);

}  // namespace takt::codegen
