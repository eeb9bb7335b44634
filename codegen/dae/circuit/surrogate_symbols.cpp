#include "codegen/dae/circuit/surrogate_symbols.hpp"

#include <algorithm>
#include <type_traits>

namespace takt::codegen {
namespace {

template <class Item>
void append(std::vector<Item>& all, const std::vector<std::type_identity_t<Item>>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

std::vector<Expr> expressions_of(const AlgebraicStep& step) {
  if (step.kind == AlgebraicStep::Kind::assignment) return {step.assignment.value};
  std::vector<Expr> all = step.newton.guesses;
  append(all, step.newton.residuals);
  append(all, step.newton.steps);
  return all;
}

/// What the gates, modes and edges of a switched circuit read.
std::vector<Expr> expressions_of(const Network& network, const SwitchedCircuit& part) {
  std::vector<Expr> all;
  for (const std::uint32_t k : part.modes)
    append(all, {network.modes[k].turn_on, network.modes[k].turn_off, network.modes[k].start});
  for (const std::uint32_t k : part.points)
    append(all, {network.points[k].next, network.points[k].tolerance, network.points[k].start});
  for (const std::uint32_t k : part.gates) all.push_back(network.gates[k].signal);
  for (const std::uint32_t k : part.edges)
    append(all, {network.edge_energies[k].rise, network.edge_energies[k].fall});
  for (const std::uint32_t k : part.legs) {
    const PwmLeg& leg = network.legs[k];
    append(all, {leg.duty, leg.frequency, leg.phase, leg.dead_time});
  }
  for (const std::uint32_t k : part.timed_gates)
    append(all, {network.timed_gates[k].level, network.timed_gates[k].delay});
  return all;
}

/// What only the switched circuit itself knows.
void hide(const Network& network, const SwitchedCircuit& part, std::vector<SymbolId>& hidden) {
  hidden.insert(hidden.end(), part.histories.begin(), part.histories.end());
  hidden.push_back(part.scale);
  for (const std::uint32_t k : part.edges)
    for (const EdgeEnergy::Before& before : network.edge_energies[k].before)
      hidden.push_back(before.symbol);
}

/// What is read beside the algebra, the states and the energies of every kind.
std::vector<Expr> expressions_of(const Network& network, const Surrogate& surrogate) {
  using All = std::vector<Expr>;
  return by_kind(
      surrogate.kind, [](const SmoothCircuit&) { return All{}; },
      [&](const SwitchedCircuit& part) {
        All all = expressions_of(network, part);
        all.push_back(surrogate.energy.absorbed);
        return all;
      },
      [](const ControlTask& task) {
        All all;
        for (const Assignment& update : task.updates) all.push_back(update.value);
        return all;
      },
      [](const ForeignTask& task) { return task.given; });
}

}  // namespace

std::vector<SymbolId> histories_of(const SubsystemKind& kind) {
  using Symbols = std::vector<SymbolId>;
  return by_kind(
      kind, [](const SmoothCircuit&) { return Symbols{}; },
      [](const SwitchedCircuit& part) { return part.histories; },
      [](const ControlTask&) { return Symbols{}; }, [](const ForeignTask&) { return Symbols{}; });
}

std::vector<SymbolId> discrete_symbols(const SubsystemKind& kind) {
  using Symbols = std::vector<SymbolId>;
  return by_kind(
      kind, [](const SmoothCircuit&) { return Symbols{}; },
      [](const SwitchedCircuit& part) { return part.discrete; },
      [](const ControlTask&) { return Symbols{}; }, [](const ForeignTask&) { return Symbols{}; });
}

std::vector<SymbolId> symbols_hidden(const Network& network, const Surrogate& surrogate) {
  std::vector<SymbolId> hidden;
  for (const StartLaw& start : surrogate.start_laws) hidden.push_back(start.unknown);
  by_kind(
      surrogate.kind, [](const SmoothCircuit&) {},
      [&](const SwitchedCircuit& part) { hide(network, part, hidden); }, [](const ControlTask&) {},
      [](const ForeignTask&) {});
  return hidden;
}

std::vector<SymbolId> symbols_read(const Network& network, const Surrogate& surrogate) {
  std::vector<Expr> all;
  for (const SurrogateState& state : surrogate.states) append(all, {state.derivative, state.start});
  for (const StartLaw& start : surrogate.start_laws) append(all, {start.law, start.wanted});
  for (const AlgebraicStep& step : surrogate.algebra) append(all, expressions_of(step));
  const EnergyBalance& energy = surrogate.energy;
  append(all, {energy.supplied, energy.dissipated, energy.exchanged, energy.stored});
  append(all, expressions_of(network, surrogate));
  for (const std::uint32_t k : surrogate.events) {
    all.push_back(network.events[k].indicator);
    for (const StateEvent::Set& set : network.events[k].sets) all.push_back(set.value);
  }
  std::vector<SymbolId> read = network.graph().symbols_of(all);
  std::vector<SymbolId> own = symbols_hidden(network, surrogate);
  append(own, discrete_symbols(surrogate.kind));
  if (own.empty()) return read;
  std::erase_if(read, [&](SymbolId symbol) {
    return std::find(own.begin(), own.end(), symbol) != own.end();
  });
  return read;
}

std::vector<SymbolId> symbols_owned(const Surrogate& surrogate) {
  std::vector<SymbolId> owned;
  for (const SurrogateState& state : surrogate.states) owned.push_back(state.symbol);
  owned.insert(owned.end(), surrogate.algebra_outputs.begin(), surrogate.algebra_outputs.end());
  append(owned, discrete_symbols(surrogate.kind));
  return owned;
}

}  // namespace takt::codegen
