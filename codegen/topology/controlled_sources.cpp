#include "codegen/topology/controlled_sources.hpp"

#include <algorithm>
#include <unordered_set>

namespace takt::codegen {

bool any_controlled(const Network& network, const CircuitTopology& circuit,
                    const std::vector<BranchId>& branches) {
  std::unordered_set<SymbolId> own;
  for (const BranchId id : circuit.branches) {
    const Branch& branch = network.branches[static_cast<std::size_t>(id)];
    own.insert({branch.across, branch.through});
  }
  for (const NodeId id : circuit.nodes)
    own.insert(network.nodes[static_cast<std::size_t>(id)].across);
  const auto follows = [&](BranchId id) {
    const Branch& branch = network.branches[static_cast<std::size_t>(id)];
    if (branch.kind != BranchKind::across_source && branch.kind != BranchKind::through_source)
      return false;
    const std::vector<SymbolId> read = network.graph().symbols_of(branch.law);
    return std::any_of(read.begin(), read.end(),
                       [&](SymbolId symbol) { return own.contains(symbol); });
  };
  return std::any_of(branches.begin(), branches.end(), follows);
}

bool has_controlled_sources(const Network& network, const CircuitTopology& circuit) {
  return any_controlled(network, circuit, circuit.branches);
}

}  // namespace takt::codegen
