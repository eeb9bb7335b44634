#include "codegen/reference/flat_guesses.hpp"

namespace takt::codegen {
namespace {

constexpr double usual_temperature = 293.15;  // K, a guess

/// Laws between absolute pressures are flat far from them: nodes begin at the mean of what the
/// storages and sources of their domain have.
void guess_pressures(const Network& network, FlatSystem& system) {
  Graph& graph = network.graph();
  for (const Domain domain : {Domain::fluid, Domain::gas}) {
    Expr sum = graph.zero();
    double count = 0.0;
    for (const Branch& element : network.branches) {
      const bool source =
          element.kind == BranchKind::across_source && element.form == LawForm::across_of;
      if (element.domain != domain || (!source && element.kind != BranchKind::across_storage))
        continue;
      sum = graph.add(sum, source ? element.law : element.start.value_or(element.default_start));
      count += 1.0;
    }
    if (count == 0.0) continue;
    const Expr mean = graph.mul(graph.constant(1.0 / count), sum);
    for (const NetworkNode& node : network.nodes)
      if (node.domain == domain && !node.reference) system.guesses.try_emplace(node.across, mean);
  }
}

}  // namespace

void add_guesses(const Network& network, FlatSystem& system) {
  Graph& graph = network.graph();
  for (const NodeBalance& balance : network.balances)
    system.guesses[balance.unknown] = balance.guess;
  for (const FreeUnknown& free : network.free_unknowns) system.guesses[free.symbol] = free.start;
  for (const ElementState& state : network.states) system.guesses[state.symbol] = state.start;
  for (const EnergyContent& content : network.contents)
    system.guesses[content.temperature] = content.start_temperature;
  for (const Branch& element : network.branches) {
    const Expr start = element.start.value_or(element.default_start);
    if (element.kind == BranchKind::across_storage) system.guesses[element.across] = start;
    if (element.kind == BranchKind::across_source && element.form == LawForm::across_of)
      system.guesses[element.across] = element.law;
    if (element.kind == BranchKind::through_storage) system.guesses[element.through] = start;
    if (element.stored && element.form == LawForm::stored_of)
      system.guesses[*element.stored] = element.law;
    if (element.start_stored) system.guesses[*element.stored] = *element.start_stored;
  }
  for (const SymbolId symbol : system.unknowns)
    if (graph.symbol(symbol).unit == "K")
      system.guesses.try_emplace(symbol, graph.constant(usual_temperature));
  guess_pressures(network, system);
}

}  // namespace takt::codegen
