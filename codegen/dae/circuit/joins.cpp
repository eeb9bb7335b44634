#include "codegen/dae/circuit/joins.hpp"

#include <algorithm>

#include "codegen/library/library.hpp"

namespace takt::codegen {
namespace {

/// Heat, or another power, that this circuit sends.
bool is_sent_heat(const CircuitScope& scope, const FluxSource& flux) {
  if (flux.producer != scope.index || flux.into_fmu) return false;
  return !flux.branch ||
         words_of(scope.network.branches[static_cast<std::size_t>(*flux.branch)].domain)
             .through_is_power;
}

/// Of the switches of a loop that send heat.
std::vector<HeatShare> heat_shares(const CircuitScope& scope, const SwitchLoop& loop) {
  std::vector<HeatShare> shares;
  for (const auto& [id, resistance] : loop.on_resistances)
    for (const FluxSource& flux : scope.fluxes)
      if (is_sent_heat(scope, flux) &&
          flux.element == scope.network.branches[static_cast<std::size_t>(id)].element)
        shares.push_back({flux.sent, resistance / loop.resistance});
  return shares;
}

/// 1/C of a capacitor whose voltage is in proportion to its charge alone.
std::optional<Expr> elastance_of(const Network& network, const Branch& branch) {
  Graph& graph = network.graph();
  const bool of_charge = branch.form == LawForm::from_stored;
  Expr slope{}, rest{};
  if (!graph.split_linear(branch.law, of_charge ? *branch.stored : branch.across, slope, rest) ||
      !graph.is_constant(rest, 0.0))
    return std::nullopt;
  const std::vector<SymbolId> read = graph.symbols_of(slope);
  const bool moves =
      std::any_of(network.branches.begin(), network.branches.end(), [&](const Branch& other) {
        return std::any_of(read.begin(), read.end(), [&](SymbolId symbol) {
          return symbol == other.across || symbol == other.through ||
                 (other.stored && symbol == *other.stored);
        });
      });
  if (moves) return std::nullopt;
  return of_charge ? slope : graph.div(graph.one(), slope);
}

}  // namespace

void find_joins(const CircuitScope& scope, SwitchedCircuit& part) {
  if (scope.circuit.surges.empty()) return;
  for (const BranchId id : scope.circuit.branches) {
    const Branch& branch = scope.network.branches[static_cast<std::size_t>(id)];
    if (branch.kind == BranchKind::through_storage) part.linkages.push_back(*branch.stored);
    if (branch.kind != BranchKind::across_storage) continue;
    if (const auto elastance = elastance_of(scope.network, branch))
      part.elastances.emplace_back(*branch.stored, *elastance);
  }
  if (part.elastances.empty()) return;
  part.joins = scope.circuit.surges;
  for (const SwitchLoop& loop : part.joins) part.join_heats.push_back(heat_shares(scope, loop));
}

}  // namespace takt::codegen
