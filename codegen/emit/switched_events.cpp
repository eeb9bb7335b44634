// What a switched circuit notices at edges: energies lost, loops closed, currents cut off.
#include <algorithm>
#include <optional>

#include "codegen/code/runtime_names.hpp"
#include "codegen/emit/switched_bodies.hpp"
#include "codegen/topology/switch_rules.hpp"

namespace takt::codegen {
namespace {

std::optional<std::size_t> quadrature_of(const SubsystemView& view, const EdgeEnergy& edge) {
  if (edge.heat.empty()) return {};
  const auto sent = view.graph().find_symbol(edge.heat + ".sent");
  const auto place =
      sent ? std::find(view.plan.sent.begin(), view.plan.sent.end(), *sent) : view.plan.sent.end();
  if (place == view.plan.sent.end()) return {};
  return static_cast<std::size_t>(place - view.plan.sent.begin());
}

/// What an edge loses, where there was one.
void lose_energy(const SubsystemView& view, std::size_t index, FunctionBody& body) {
  const EdgeEnergy& edge =
      view.network.edge_energies[switched_circuit(view.surrogate.kind).edges[index]];
  Statements& statements = body.statements();
  code::Values& values = body.values();
  code::Place before = view.bound.at(edge.of);
  const code::Value now = values.place(before), lost = values.variable("lost");
  before.name += "_before";
  const code::Value was = values.place(before);
  statements.open_loop(view.graph().symbols_of(
      std::vector{edge.rise, edge.fall}));  // looked up only where there was an edge
  const code::Value rise = statements.value(edge.rise), fall = statements.value(edge.fall);
  const code::Value loss = values.operation(
      code::Form::choice, values.operation(code::Form::greater, now, was), rise, fall);
  statements.block().add(
      code::Definition{values.name("double"), lost, loss, statements.note(view.label(edge.total))});
  const auto add = [&](code::Value to) { statements.block().change(to, code::Change::add, lost); };
  add(values.element("totals", index));
  // The circuit does not see this energy: it counts as supplied from outside and leaves as heat.
  add(values.element("q", view.plan.sent.size() + view.plan.received.size()));
  if (const auto heat = quadrature_of(view, edge)) add(values.element("q", *heat));
  statements.close_loop(code::Branch{values.operation(code::Form::unequal, now, was), nullptr});
}

void emit_edge_energies(const SubsystemView& view, Coefficients& factors,
                        SubsystemFunctions& functions) {
  const SwitchedCircuit& part = switched_circuit(view.surrogate.kind);
  if (part.edges.empty()) return;
  std::vector<SymbolId> observed;
  std::vector<Expr> roots;
  for (const std::uint32_t k : part.edges) {
    const EdgeEnergy& edge = view.network.edge_energies[k];
    for (const EdgeEnergy::Before& before : edge.before) observed.push_back(before.of);
    roots.insert(roots.end(), {edge.rise, edge.fall});
  }
  FunctionBody before = body_between_factorisations(view, factors, {}, observed);
  for (std::size_t index = 0; index < observed.size(); ++index)
    before.store("values", index, before.own(observed[index]), "");
  write_function(
      functions, view, {"observe_edge", time_and({history_parameter, {"double*", "values"}})},
      {.statements = before.statements(), .alias = factors_as(read_factors, before.values())});

  FunctionBody body = body_between_factorisations(view, factors, roots);
  for (std::size_t index = 0; index < part.edges.size(); ++index) lose_energy(view, index, body);
  write_function(
      functions, view, {"lose_energy", time_and({history_parameter})},
      {.statements = body.statements(), .alias = factors_as(read_factors, body.values())});
}

/// events: those of every switched circuit, then loops, then inductors.
code::Value event_of_loop(std::size_t index, code::Values& values) {
  const code::Value place = values.operation(
      code::Form::sum, values.variable(runtime::switched_event_count), values.integer(index));
  return values.element_at(values.variable("events"), place);
}
code::Value event_of_cut_off(const SwitchedCircuit& part, std::size_t index, code::Values& values) {
  return event_of_loop(part.loops.size() + index, values);
}

/// Loops that gates close.
void emit_watch_loops(const SubsystemView& view, Coefficients& coefficients,
                      SubsystemFunctions& functions) {
  const SwitchedCircuit& part = switched_circuit(view.surrogate.kind);
  if (part.loops.empty()) return;
  std::vector<Expr> roots;
  for (const SwitchLoop& loop : part.loops) roots.push_back(loop.closed);
  FunctionBody body = body_for(view, coefficients, roots);
  for (std::size_t index = 0; index < roots.size(); ++index) {
    const code::Value closes = body.statements().condition(roots[index]);
    count_rise(
        {event_of_loop(index, body.values()), closes, body.values().element("loop_closed", index),
         loop_text(view.network, part.loops[index])},
        body);
  }
  write_function(functions, view, {"watch_loops", {}}, {body.statements()});
}

/// abs(r[state]) > limit && abs(r[state]) * half_step > 0.1 * abs(x[state])
code::Value is_cut_off(std::size_t state, code::Value limit, code::Values& values) {
  const auto magnitude = [&](const char* array) {
    return values.call(runtime::abs, {values.element(array, state)});
  };
  const code::Value beyond = values.operation(code::Form::greater, magnitude("r"), limit);
  const code::Value moved =
      values.operation(code::Form::product, magnitude("r"), values.variable("half_step"));
  const code::Value share =
      values.operation(code::Form::product, values.number(0.1), magnitude("x"));
  return values.operation(code::Form::both, beyond,
                          values.operation(code::Form::greater, moved, share));
}

/// Inductors whose current an edge cuts off. A voltage beyond what sources and capacitors can give
/// takes more than a tenth of the flux linkage within half a step.
void emit_watch_currents(const SubsystemView& view, Coefficients& factors,
                         SubsystemFunctions& functions) {
  const SwitchedCircuit& part = switched_circuit(view.surrogate.kind);
  if (part.cut_off.empty()) return;
  FunctionBody body = body_between_factorisations(view, factors, {part.voltage_limit});
  const code::Value limit =
      body.statements().local("voltage_limit", body.statements().value(part.voltage_limit), "V");
  for (std::size_t index = 0; index < part.cut_off.size(); ++index) {
    const Branch& branch =
        view.network.branches[static_cast<std::size_t>(part.cut_off[index].branch)];
    const code::Value cut = is_cut_off(view.state.at(*branch.stored), limit, body.values());
    count_rise({event_of_cut_off(part, index, body.values()), cut,
                body.values().element("current_cut", index),
                cut_off_text(view.network, part.cut_off[index])},
               body);
  }
  write_function(
      functions, view, {"watch_currents", time_and({history_parameter, {"const double*", "r"}})},
      {.statements = body.statements(), .alias = factors_as(read_factors, body.values())});
}

}  // namespace

void emit_switched_events(const ViewCode& plain, const ViewCode& factored,
                          SubsystemFunctions& functions) {
  emit_edge_energies(factored.view, factored.coefficients, functions);
  emit_watch_loops(plain.view, plain.coefficients, functions);
  emit_watch_currents(factored.view, factored.coefficients, functions);
  emit_joins(plain.view, plain.coefficients, functions);
}

}  // namespace takt::codegen
