#pragma once
// Normal tree of one circuit by exact elimination: an internal step of analyse_topology().

#include "codegen/topology/topology.hpp"

namespace takt::codegen {

struct NormalTreeFindings {
  std::vector<NodeId> undetermined;         ///< nodes whose potential no branch fixes
  std::vector<std::uint32_t> locked_ports;  ///< two-ports whose constraint others imply already
};

/// Greedy basis of the across variables: tree branches in order, and every other branch over them.
struct Basis {
  std::vector<BranchId> tree;
  std::vector<CotreeRow> cotree;
};

/// The basis that takes branches in the given order. A tree branch with the cotree branches whose
/// rows hold it is a cutset.
[[nodiscard]] Basis greedy_basis(const Network& network, const CircuitTopology& circuit,
                                 const std::vector<BranchId>& order);

/// Fills tree, cotree, potentials and port_throughs of the circuit.
NormalTreeFindings build_normal_tree(const Network& network, CircuitTopology& circuit);

}  // namespace takt::codegen
