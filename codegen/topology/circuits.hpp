#pragma once
// Circuits by connectivity: an internal step of analyse_topology().

#include "codegen/topology/topology.hpp"

namespace takt::codegen {

/// Fills name, domain, nodes, branches, two_ports and elements of every circuit, in order of first
/// element. Ground, frame and absolute zero are mere reference points and do not connect; see
/// shared_ground.hpp for what ties parts on one ground.
[[nodiscard]] std::vector<CircuitTopology> find_circuits(const Network& network);

}  // namespace takt::codegen
