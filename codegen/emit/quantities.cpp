#include "codegen/emit/quantities.hpp"

namespace takt::codegen {
namespace {

/// Calls roots after symbols and paths.
class Names {
 public:
  Names(const Graph& graph, Quantities& quantities) : graph_(graph), quantities_(quantities) {}

  void call(Expr root, const std::string& name) { quantities_.name.emplace(root, name); }
  void call(Expr root, SymbolId symbol, const char* role) {
    call(root, graph_.symbol(symbol).path, role);
  }
  void call(Expr root, const std::string& path, const char* role) {
    call(root, identifier_of(path) + role);
  }
  void define(const Assignment& assignment) {
    call(assignment.value, assignment.symbol, "");
    quantities_.definition.emplace(assignment.symbol, assignment.value);
    quantities_.defined.insert(assignment.value);
  }

 private:
  const Graph& graph_;
  Quantities& quantities_;
};

void call_block(const NewtonBlock& block, Names& names) {
  const auto each = [&](const std::vector<Expr>& roots, const char* role) {
    for (std::size_t row = 0; row < roots.size(); ++row)
      names.call(roots[row], block.unknowns[row], role);
  };
  each(block.guesses, "_guess");
  each(block.residuals, "_residual");
  each(block.steps, "_newton_step");
  each(block.magnitudes, "_magnitude");
}

void call_states(const Surrogate& surrogate, Names& names) {
  for (const SurrogateState& state : surrogate.states) {
    names.call(state.start, state.symbol, "_start");
    names.call(state.derivative, state.symbol, "_rate");
  }
  for (const StartLaw& law : surrogate.start_laws) {
    names.call(law.wanted, law.unknown, "_wanted");
    names.call(law.law, law.unknown, "_law");
  }
  for (const Assignment& update : updates_of(surrogate.kind))
    names.call(update.value, update.symbol, "_next");
}

void call_energy(const EnergyBalance& energy, Names& names) {
  names.call(energy.stored, "stored_energy");
  names.call(energy.supplied, "supplied_power");
  names.call(energy.dissipated, "dissipated_power");
  names.call(energy.exchanged, "exchanged_power");
  names.call(energy.absorbed, "absorbed_power");
}

void call_slopes(const SubsystemView& view, Names& names) {
  const std::vector<SurrogateState>& states = view.surrogate.states;
  const auto rates = [&](const std::vector<Jacobian::Entry>& entries) {
    for (const Jacobian::Entry& entry : entries)
      names.call(entry.value, states[entry.row].symbol, "_slope");
  };
  const auto integrands = [&](const std::vector<Jacobian::Entry>& entries) {
    for (const Jacobian::Entry& entry : entries)
      names.call(entry.value, states[entry.column].symbol, "_flow");
  };
  if (view.plan.jacobian)
    rates(view.plan.jacobian->states), integrands(view.plan.jacobian->quadratures);
  if (view.plan.linear) rates(view.plan.linear->rates), integrands(view.plan.linear->integrands);
}

void call_controls(const SwitchedCircuit& part, const Network& network, Names& names) {
  for (const std::uint32_t k : part.legs) {
    const PwmLeg& leg = network.legs[k];
    names.call(leg.duty, leg.path, "_duty");
    names.call(leg.frequency, leg.path, "_frequency");
    names.call(leg.phase, leg.path, "_phase");
    names.call(leg.dead_time, leg.path, "_dead_time");
  }
  for (const std::uint32_t k : part.timed_gates) {
    names.call(network.timed_gates[k].level, network.timed_gates[k].path, "_level");
    names.call(network.timed_gates[k].delay, network.timed_gates[k].path, "_delay");
  }
  for (const std::uint32_t k : part.gates)
    names.call(network.gates[k].signal, network.gates[k].symbol, "_signal");
}

void call_switched(const SwitchedCircuit& part, const Network& network, Names& names) {
  call_controls(part, network, names);
  for (std::size_t index = 0; index < part.modes.size(); ++index) {
    const Mode& mode = network.modes[part.modes[index]];
    names.call(mode.start, mode.symbol, "_start");
    names.call(part.indicators[index], mode.symbol, "_flip");
  }
  for (const std::uint32_t k : part.points) {
    const OperatingPoint& point = network.points[k];
    names.call(point.start, point.symbol, "_start");
    names.call(point.next, point.symbol, "_next");
    names.call(point.tolerance, point.symbol, "_tolerance");
  }
  for (const std::uint32_t k : part.edges) {
    names.call(network.edge_energies[k].rise, network.edge_energies[k].total, "_rise");
    names.call(network.edge_energies[k].fall, network.edge_energies[k].total, "_fall");
  }
  if (part.affine) {
    for (std::size_t row = 0; row < part.affine->rows.size(); ++row) {
      for (const Expr entry : part.affine->coefficients[row])
        names.call(entry, part.affine->rows[row], "_gain");
      names.call(part.affine->offsets[row], part.affine->rows[row], "_offset");
    }
  }
  if (!part.cut_off.empty()) names.call(part.voltage_limit, "voltage_limit");
}

}  // namespace

Quantities quantities_of(const SubsystemView& view) {
  Quantities quantities;
  Names names(view.graph(), quantities);
  for (const AlgebraicStep& step : view.surrogate.algebra)
    if (step.kind == AlgebraicStep::Kind::assignment) names.define(step.assignment);
  for (const AlgebraicStep& step : view.surrogate.algebra) call_block(step.newton, names);
  call_states(view.surrogate, names);
  call_energy(view.surrogate.energy, names);
  by_kind(
      view.surrogate.kind, [](const SmoothCircuit&) {},
      [&](const SwitchedCircuit& circuit) { call_switched(circuit, view.network, names); },
      [](const ControlTask&) {}, [](const ForeignTask&) {});
  call_slopes(view, names);
  for (const SubsystemView::Range& range : view.ranges) {
    names.call(range.limit->below, "least");
    names.call(range.limit->above, "most");
  }
  return quantities;
}

}  // namespace takt::codegen
