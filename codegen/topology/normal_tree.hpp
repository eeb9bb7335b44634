#pragma once
// Normal tree of one circuit by exact elimination: an internal step of analyse_topology().

#include "codegen/topology/topology.hpp"

namespace takt::codegen {

struct NormalTreeFindings {
  std::vector<NodeId> undetermined;           ///< nodes whose potential no branch fixes
  std::vector<std::uint32_t> locked_ports;    ///< two-ports whose constraint others imply already
};

/// Fills tree, cotree, potentials and port_throughs of the circuit.
NormalTreeFindings build_normal_tree(const Network& network, CircuitTopology& circuit);

}  // namespace takt::codegen
