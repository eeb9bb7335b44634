#include "codegen/reference/steady_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace takt::codegen {

std::map<std::string, Expr> conserved_sums_by_path(const Network& network,
                                                   const TopologyResult& topology) {
  Graph& graph = network.graph();
  std::map<std::string, Expr> sums;
  const auto branch = [&](BranchId id) -> const Branch& {
    return network.branches[static_cast<std::size_t>(id)];
  };
  const auto add = [&](const Branch& independent, const Branch& dependent, double coefficient) {
    const auto [place, fresh] =
        sums.try_emplace(path_of_sum(independent), graph.use(*independent.stored));
    place->second = graph.add(place->second,
                              graph.mul(graph.constant(coefficient), graph.use(*dependent.stored)));
  };
  for (const CircuitTopology& circuit : topology.circuits) {
    const auto depends = [&](BranchId id) {
      return std::find(circuit.dependent_through_storages.begin(),
                       circuit.dependent_through_storages.end(),
                       id) != circuit.dependent_through_storages.end();
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
      if (std::find(circuit.elements.begin(), circuit.elements.end(), state.element) !=
          circuit.elements.end())
        look(network.graph().symbol(state.symbol).path, state.symbol);
    if (!started) symbols.insert(own.begin(), own.end());
  }
  return symbols;
}

std::unordered_map<SymbolId, double> begin_with(const Network& network,
                                                const TopologyResult& topology,
                                                const std::map<std::string, double>& states,
                                                FlatSystem& flat) {
  Graph& graph = network.graph();
  const std::map<std::string, Expr> given_sums = conserved_sums_by_path(network, topology);
  std::vector<Expr> rows;
  std::set<SymbolId> block_states;
  std::unordered_map<SymbolId, double> block_starts;
  for (const ControlBlock& block : network.blocks)
    for (const ControlBlock::State& state : block.states) block_states.insert(state.symbol);
  for (const auto& [path, value] : states) {
    const auto symbol = graph.find_symbol(path);
    const auto sum = given_sums.find(path);
    if (symbol && block_states.contains(*symbol))
      block_starts[*symbol] = value;
    else if (sum != given_sums.end())
      rows.push_back(graph.sub(sum->second, graph.constant(value)));
    else if (symbol && std::binary_search(flat.unknowns.begin(), flat.unknowns.end(), *symbol))
      rows.push_back(graph.sub(graph.use(*symbol), graph.constant(value)));
    else
      throw std::runtime_error(
          "the run began with a state that the flattened plant does not have: " + path);
  }
  std::size_t next = 0;
  const std::set<SymbolId> as_given = not_started(network, topology, states);
  for (std::size_t k = 0; k < flat.rows.size(); ++k) {
    if (!flat.rows[k].rate_of || flat.constrained_starts.contains(k)) continue;
    const auto sum = flat.sums.find(*flat.rows[k].rate_of);
    if (as_given.contains(sum == flat.sums.end() ? *flat.rows[k].rate_of : sum->second)) continue;
    if (next < rows.size()) flat.start_rows[k] = rows[next];
    ++next;
  }
  if (next != rows.size())
    throw std::runtime_error(fmt::format(
        "the run began with {} states of circuits, the flattened plant has {}", rows.size(), next));
  return block_starts;
}

}  // namespace takt::codegen
