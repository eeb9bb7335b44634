#include "codegen/dae/circuit/surrogate_symbols.hpp"

#include <algorithm>

namespace takt::codegen {
namespace {

void append(std::vector<Expr>& all, const std::vector<Expr>& more) { all.insert(all.end(), more.begin(), more.end()); }

std::vector<Expr> expressions_of(const AlgebraicStep& step) {
  if (step.kind == AlgebraicStep::Kind::assignment) return {step.assignment.value};
  std::vector<Expr> all = step.newton.guesses;
  append(all, step.newton.residuals);
  append(all, step.newton.steps);
  return all;
}

/// What the gates, modes and edges of a switched circuit read.
std::vector<Expr> expressions_of(const Network& network, const SwitchedPart& part) {
  std::vector<Expr> all;
  for (const std::uint32_t k : part.modes)
    append(all, {network.modes[k].turn_on, network.modes[k].turn_off, network.modes[k].start});
  for (const std::uint32_t k : part.points)
    append(all, {network.points[k].next, network.points[k].tolerance, network.points[k].start});
  for (const std::uint32_t k : part.gates) all.push_back(network.gates[k].signal);
  for (const std::uint32_t k : part.edges) append(all, {network.edge_energies[k].rise, network.edge_energies[k].fall});
  for (const std::uint32_t k : part.legs) {
    const PwmLeg& leg = network.legs[k];
    append(all, {leg.duty, leg.frequency, leg.phase, leg.dead_time});
  }
  for (const std::uint32_t k : part.timed_gates)
    append(all, {network.timed_gates[k].level, network.timed_gates[k].delay});
  return all;
}

}  // namespace

std::vector<SymbolId> symbols_hidden(const Network& network, const Surrogate& surrogate) {
  std::vector<SymbolId> hidden;
  for (const StartLaw& start : surrogate.start_laws) hidden.push_back(start.unknown);
  if (!surrogate.switched) return hidden;
  hidden.insert(hidden.end(), surrogate.switched->histories.begin(), surrogate.switched->histories.end());
  hidden.push_back(surrogate.switched->scale);
  for (const std::uint32_t k : surrogate.switched->edges)
    for (const EdgeEnergy::Before& before : network.edge_energies[k].before) hidden.push_back(before.symbol);
  return hidden;
}

std::vector<SymbolId> symbols_read(const Network& network, const Surrogate& surrogate) {
  std::vector<Expr> all;
  for (const SurrogateState& state : surrogate.states) append(all, {state.derivative, state.start});
  for (const StartLaw& start : surrogate.start_laws) append(all, {start.law, start.wanted});
  for (const AlgebraicStep& step : surrogate.algebra) append(all, expressions_of(step));
  for (const Assignment& update : surrogate.updates) all.push_back(update.value);
  const EnergyBalance& energy = surrogate.energy;
  append(all, {energy.supplied, energy.dissipated, energy.exchanged, energy.stored});
  if (surrogate.switched) {
    all.push_back(energy.absorbed);
    append(all, expressions_of(network, *surrogate.switched));
  }
  std::vector<SymbolId> read = network.graph.symbols_of(all);
  std::vector<SymbolId> own = symbols_hidden(network, surrogate);
  if (surrogate.switched)
    own.insert(own.end(), surrogate.switched->discrete.begin(), surrogate.switched->discrete.end());
  if (own.empty()) return read;
  std::erase_if(read, [&](SymbolId symbol) { return std::find(own.begin(), own.end(), symbol) != own.end(); });
  return read;
}

std::vector<SymbolId> symbols_owned(const Surrogate& surrogate) {
  std::vector<SymbolId> owned;
  for (const SurrogateState& state : surrogate.states) owned.push_back(state.symbol);
  owned.insert(owned.end(), surrogate.algebra_outputs.begin(), surrogate.algebra_outputs.end());
  if (surrogate.switched)
    owned.insert(owned.end(), surrogate.switched->discrete.begin(), surrogate.switched->discrete.end());
  return owned;
}

}  // namespace takt::codegen
