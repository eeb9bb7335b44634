#include "codegen/dae/energy.hpp"

#include <algorithm>
#include <unordered_set>

namespace takt::codegen {

namespace {

const DomainWords& words(Domain domain) {
  return *std::find_if(domain_words.begin(), domain_words.end(), [&](const DomainWords& entry) { return entry.domain == domain; });
}

/// Power that flows from the circuit into a branch, W. In thermal domains the through variable is the power itself, so
/// a branch between two walls takes nothing and one at absolute zero takes all of it.
Expr power_into(Network& network, const Branch& branch) {
  Graph& graph = network.graph;
  if (!words(branch.domain).through_is_power) return graph.mul(graph.use(branch.across), graph.use(branch.through));
  const bool from_reference = network.nodes[static_cast<std::size_t>(branch.from)].reference;
  const bool to_reference = network.nodes[static_cast<std::size_t>(branch.to)].reference;
  if (from_reference == to_reference) return graph.zero();
  return to_reference ? graph.use(branch.through) : graph.neg(graph.use(branch.through));
}

/// Stored energy of a linear storage is half the product of its two variables; of a wall, the conserved quantity itself.
std::optional<Expr> stored_in(Graph& graph, const Branch& branch) {
  if (branch.energy) return branch.energy;
  const SymbolId stored = *branch.stored;
  if (words(branch.domain).through_is_power) return graph.use(stored);
  const SymbolId natural = branch.kind == BranchKind::across_storage ? branch.across : branch.through;
  const SymbolId argument = branch.form == LawForm::stored_of ? natural : stored;
  Expr coefficient{}, rest{};
  if (!graph.split_linear(branch.law, argument, coefficient, rest)) return std::nullopt;
  if (!graph.is_constant(rest, 0.0)) return std::nullopt;
  return graph.mul(graph.constant(0.5), graph.mul(graph.use(natural), graph.use(stored)));
}

}  // namespace

EnergyBalance energy_balance(Network& network, const CircuitTopology& circuit, std::size_t index, const std::vector<FluxSource>& fluxes,
                             bool by_tellegen) {
  Graph& graph = network.graph;
  EnergyBalance balance{graph.zero(), graph.zero(), graph.zero(), graph.zero(), true, graph.zero()};
  std::unordered_set<BranchId> received_here;
  for (const FluxSource& flux : fluxes)
    if (flux.consumer == index) received_here.insert(flux.branch);
  for (const BranchId id : circuit.branches) {
    const Branch& branch = network.branches[static_cast<std::size_t>(id)];
    const bool received = received_here.contains(id);
    if (branch.kind == BranchKind::across_storage || branch.kind == BranchKind::through_storage) {
      const auto stored = stored_in(graph, branch);
      if (by_tellegen) balance.absorbed = graph.add(balance.absorbed, power_into(network, branch));
      if (stored)
        balance.stored = graph.add(balance.stored, *stored);
      else
        balance.complete = false;
    } else if (received) {
      balance.exchanged = graph.sub(balance.exchanged, power_into(network, branch));
    } else if (branch.kind == BranchKind::dissipator) {
      if (!by_tellegen) balance.dissipated = graph.add(balance.dissipated, power_into(network, branch));
    } else {
      balance.supplied = graph.sub(balance.supplied, power_into(network, branch));
    }
  }
  // What is sent was counted as loss (heat) or as absorbed by a source (shaft power): move it to `exchanged`.
  for (const FluxSource& flux : fluxes) {
    if (flux.producer != index) continue;
    const Branch& branch = network.branches[static_cast<std::size_t>(flux.branch)];
    if (by_tellegen && words(branch.domain).through_is_power) {
      balance.heat_sent.push_back(flux.sent);
      continue;
    }
    const std::unordered_map<SymbolId, Expr> seen_here{{branch.through, graph.use(flux.sent)}};
    const Expr power = graph.substitute(graph.neg(power_into(network, branch)), seen_here);
    balance.exchanged = graph.sub(balance.exchanged, power);
    if (words(branch.domain).through_is_power)
      balance.dissipated = graph.sub(balance.dissipated, power);
    else
      balance.supplied = graph.add(balance.supplied, power);
  }
  return balance;
}

}  // namespace takt::codegen
