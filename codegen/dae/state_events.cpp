#include "codegen/dae/state_events.hpp"

#include <algorithm>
#include <unordered_set>

namespace takt::codegen {
namespace {

bool belongs(const CircuitScope& scope, const StateEvent& event) {
  if (event.sets.empty()) return false;
  const auto owner = scope.ownership.owner.find(event.sets.front().symbol);
  return owner != scope.ownership.owner.end() && owner->second == scope.index;
}

/// "translational.ball.h, translational.ball.v and 3 more"
std::string integrated(const Graph& graph, const Surrogate& surrogate) {
  constexpr std::size_t named = 6;
  std::string text;
  for (std::size_t k = 0; k < surrogate.states.size() && k < named; ++k)
    text += (k > 0 ? ", " : "") + graph.symbol(surrogate.states[k].symbol).path;
  if (surrogate.states.size() > named)
    text += " and " + std::to_string(surrogate.states.size() - named) + " more";
  return text.empty() ? "nothing" : text;
}

}  // namespace

std::vector<std::uint32_t> events_of(const CircuitScope& scope) {
  std::vector<std::uint32_t> events;
  for (std::size_t k = 0; k < scope.network.events.size(); ++k)
    if (belongs(scope, scope.network.events[k])) events.push_back(static_cast<std::uint32_t>(k));
  return events;
}

void check_events(const CircuitScope& scope, const Surrogate& surrogate, Diagnostics& diagnostics) {
  const Graph& graph = scope.network.graph();
  std::unordered_set<SymbolId> states;
  for (const SurrogateState& state : surrogate.states) states.insert(state.symbol);
  for (const std::uint32_t k : surrogate.events)
    for (const StateEvent::Set& set : scope.network.events[k].sets)
      if (!states.contains(set.symbol))
        diagnostics.error("T029", set.where,
                          "event " + scope.network.events[k].path + " sets " +
                              graph.symbol(set.symbol).path + ", which circuit " +
                              scope.circuit.name + " does not integrate: it follows from others",
                          "set what is integrated (" + integrated(graph, surrogate) +
                              "), or write the state that the event sets first in its element");
}

}  // namespace takt::codegen
