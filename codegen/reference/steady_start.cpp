#include "codegen/reference/steady_start.hpp"

#include <algorithm>

namespace takt::codegen {

std::map<std::string, Expr> conserved_sums_by_path(const Network& network, const TopologyResult& topology) {
  Graph& graph = network.graph();
  std::map<std::string, Expr> sums;
  const auto branch = [&](BranchId id) -> const Branch& { return network.branches[static_cast<std::size_t>(id)]; };
  const auto add = [&](const Branch& independent, const Branch& dependent, double coefficient) {
    const auto [place, fresh] = sums.try_emplace(path_of_sum(independent), graph.use(*independent.stored));
    place->second = graph.add(place->second, graph.mul(graph.constant(coefficient), graph.use(*dependent.stored)));
  };
  for (const CircuitTopology& circuit : topology.circuits) {
    const auto depends = [&](BranchId id) {
      return std::find(circuit.dependent_through_storages.begin(), circuit.dependent_through_storages.end(), id) !=
             circuit.dependent_through_storages.end();
    };
    for (const CotreeRow& row : circuit.cotree)
      for (const LinearTerm& term : row.terms) {
        const BranchKind left_over = branch(row.branch).kind, in_tree = branch(term.branch).kind;
        if (left_over == BranchKind::across_storage && in_tree == BranchKind::across_storage)
          add(branch(term.branch), branch(row.branch), term.coefficient);
        if (left_over == BranchKind::through_storage && depends(term.branch))
          add(branch(row.branch), branch(term.branch), -term.coefficient);
      }
  }
  return sums;
}

std::set<SymbolId> not_started(const Network& network, const TopologyResult& topology,
                               const std::map<std::string, double>& states) {
  std::set<SymbolId> symbols;
  for (const CircuitTopology& circuit : topology.circuits) {
    std::set<SymbolId> own;
    bool started = false;
    const auto look = [&](const std::string& path, SymbolId symbol) {
      started = started || states.contains(path);
      own.insert(symbol);
    };
    for (const BranchId id : circuit.branches) {
      const Branch& branch = network.branches[static_cast<std::size_t>(id)];
      if (!branch.stored) continue;
      look(network.graph().symbol(*branch.stored).path, *branch.stored);
      look(path_of_sum(branch), *branch.stored);
    }
    for (const ElementState& state : network.states)
      if (std::find(circuit.elements.begin(), circuit.elements.end(), state.element) != circuit.elements.end())
        look(network.graph().symbol(state.symbol).path, state.symbol);
    if (!started) symbols.insert(own.begin(), own.end());
  }
  return symbols;
}

}  // namespace takt::codegen
