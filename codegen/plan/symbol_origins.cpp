#include "codegen/plan/symbol_origins.hpp"

#include <algorithm>

#include "codegen/expr/node_memo.hpp"

namespace takt::codegen {
namespace {

std::vector<SymbolId> merged(const std::vector<SymbolId>& a, const std::vector<SymbolId>& b) {
  std::vector<SymbolId> both;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

}  // namespace

SymbolOrigins::SymbolOrigins(const Network& network, const DaeResult& dae) {
  for (std::size_t index = 0; index < dae.subsystems.size(); ++index) {
    for (const SymbolId symbol : symbols_owned(dae.subsystems[index]))
      owner_.emplace(symbol, index);
  }
  for (std::size_t index = 0; index < network.inputs.size(); ++index) {
    plant_input_.emplace(network.inputs[index].symbol, index);
  }
  for (std::size_t index = 0; index < dae.fluxes.size(); ++index)
    flux_.emplace(dae.fluxes[index].received, index);
  for (std::size_t index = 0; index < network.delays.size(); ++index)
    delay_.emplace(network.delays[index].arriving, index);
  for (const Parameter& parameter : network.parameters) free_.emplace(parameter.symbol, true);
  free_.emplace(network.time, true);
}

namespace {
std::optional<std::size_t> find(const SymbolMap<std::size_t>& map, SymbolId symbol) {
  const auto found = map.find(symbol);
  return found == map.end() ? std::nullopt : std::optional(found->second);
}
}  // namespace

std::optional<std::size_t> SymbolOrigins::owner(SymbolId symbol) const {
  return find(owner_, symbol);
}
std::optional<std::size_t> SymbolOrigins::plant_input(SymbolId symbol) const {
  return find(plant_input_, symbol);
}
std::optional<std::size_t> SymbolOrigins::flux(SymbolId received) const {
  return find(flux_, received);
}
std::optional<std::size_t> SymbolOrigins::delay(SymbolId arriving) const {
  return find(delay_, arriving);
}
bool SymbolOrigins::is_parameter_or_time(SymbolId symbol) const { return free_.contains(symbol); }

Feedthrough::Feedthrough(const Graph& graph, const Surrogate& surrogate,
                         const std::vector<SymbolId>& inputs) {
  if (inputs.empty()) return;
  for (const SymbolId input : inputs) {
    reach_.emplace(input, static_cast<Set>(sets_.size()));
    sets_.push_back({input});
  }
  for (const SurrogateState& state : surrogate.states) reach_[state.symbol] = 0;
  const auto of_symbol = [&](SymbolId symbol) { return find(symbol); };
  const auto both = [&](Set a, Set b) { return join(a, b); };
  NodeMemo<Set> memo(graph);
  for (const AlgebraicStep& step : surrogate.algebra) {
    if (step.kind == AlgebraicStep::Kind::assignment) {
      reach_[step.assignment.symbol] = memo.of(step.assignment.value, of_symbol, both);
    } else {  // its unknowns have no meaning yet in the residuals: nothing of this walk is kept
      Set through = 0;
      for (const SymbolId symbol : graph.symbols_of(step.newton.residuals))
        through = join(through, find(symbol));
      for (const SymbolId unknown : step.newton.unknowns) reach_[unknown] = through;
    }
  }
  for (const SymbolId input : inputs) reach_.erase(input);
}

Feedthrough::Set Feedthrough::find(SymbolId symbol) const {
  const auto found = reach_.find(symbol);
  return found == reach_.end() ? 0 : found->second;
}

const std::vector<SymbolId>& Feedthrough::of(SymbolId symbol) const { return sets_[find(symbol)]; }

Feedthrough::Set Feedthrough::join(Set a, Set b) {
  if (a == b || b == 0) return a;
  if (a == 0) return b;
  if (a > b) std::swap(a, b);
  const auto [place, fresh] = joined_.try_emplace({a, b}, static_cast<Set>(sets_.size()));
  if (fresh) sets_.push_back(merged(sets_[a], sets_[b]));
  return place->second;
}

}  // namespace takt::codegen
