#pragma once
// The resistive part of a circuit in node form. Tree branches of kind A and C contract the nodes
// they join into one vertex whose inner offsets are known; what is left between the vertices are
// dissipators, and L and T branches of known through variable. One potential per vertex and one
// balance give a weighted graph Laplacian.

#include <map>
#include <optional>
#include <unordered_set>
#include <vector>

#include "codegen/topology/topology.hpp"

namespace takt::codegen {

struct DissipatorEdge {
  BranchId branch{};
  std::optional<std::size_t> from, to;  ///< potentials; nothing where the end is a root vertex
  std::vector<LinearTerm>
      offset;  ///< known part of the across variable, over A and C tree branches
};

/// potential = sum of coefficient*potential + ground*(root): a two-port, solved for one of its
/// ends.
struct DissipatorConstraint {
  std::size_t potential = 0;
  std::map<std::size_t, double> terms;
  double ground = 0.0;
};

struct DissipatorPart {
  std::vector<NodeId> potentials;  ///< one node of each vertex that is not a root
  std::vector<std::vector<LinearTerm>>
      balances;                       ///< per potential: 0 = sum of terms over through variables
  std::vector<DissipatorEdge> edges;  ///< every dissipator of the circuit
  std::unordered_set<BranchId> branches;  ///< those of the edges
  std::vector<DissipatorConstraint>
      constraints;  ///< of two-ports, whose currents are not in the balances
  [[nodiscard]] bool contains(BranchId id) const { return branches.contains(id); }
};

/// Empty for circuits that have two-ports beside storages.
[[nodiscard]] DissipatorPart find_dissipator_part(const Network& network,
                                                  const CircuitTopology& circuit);

}  // namespace takt::codegen
