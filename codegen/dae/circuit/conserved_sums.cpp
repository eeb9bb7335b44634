#include "codegen/dae/circuit/conserved_sums.hpp"

namespace takt::codegen {

namespace {

/// The normal tree of a circuit if branches of one kind came last (`as` through sources) or first
/// (`as` across sources).
CircuitTopology tree_with(Network network, std::size_t circuit, BranchKind single, BranchKind as) {
  for (Branch& branch : network.branches)
    if (branch.kind != BranchKind::port)
      branch.kind = branch.kind == single ? as : BranchKind::dissipator;
  Diagnostics scratch;  // cutsets and loops of such branches are what is looked for
  TopologyResult result = analyse_topology(network, scratch);
  return std::move(result.circuits[circuit]);
}

}  // namespace

std::unordered_map<BranchId, Expr> rates_by_sums(const Network& network, std::size_t circuit) {
  Graph& graph = network.graph();
  const auto branch = [&](BranchId id) -> const Branch& {
    return network.branches[static_cast<std::size_t>(id)];
  };
  std::unordered_map<BranchId, Expr> rates;
  const auto add = [&](BranchId id, double coefficient, SymbolId symbol) {
    const Expr term = graph.mul(graph.constant(coefficient), graph.use(symbol));
    const auto [place, fresh] = rates.try_emplace(id, term);
    if (!fresh) place->second = graph.add(place->second, term);
  };
  const CircuitTopology last =
      tree_with(network, circuit, BranchKind::across_storage, BranchKind::through_source);
  for (const CotreeRow& row : last.cotree)
    for (const LinearTerm& term : row.terms)
      if (branch(term.branch).kind == BranchKind::across_storage && term.coefficient != 0.0)
        add(term.branch, -term.coefficient, branch(row.branch).through);
  const CircuitTopology first =
      tree_with(network, circuit, BranchKind::through_storage, BranchKind::across_source);
  for (const CotreeRow& row : first.cotree)
    for (const LinearTerm& term : row.terms)
      if (branch(row.branch).kind == BranchKind::through_storage && term.coefficient != 0.0)
        add(row.branch, term.coefficient, branch(term.branch).across);
  return rates;
}

}  // namespace takt::codegen
