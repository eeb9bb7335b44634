#include "codegen/emit/functions.hpp"

#include <algorithm>

#include "codegen/code/naming.hpp"
#include "codegen/emit/control_functions.hpp"
#include "codegen/emit/equation_checks.hpp"
#include "codegen/emit/event_functions.hpp"
#include "codegen/emit/exact_functions.hpp"
#include "codegen/emit/flow_blocks.hpp"
#include "codegen/emit/foreign_functions.hpp"
#include "codegen/emit/function_body.hpp"
#include "codegen/emit/implicit_functions.hpp"
#include "codegen/emit/instant_functions.hpp"
#include "codegen/emit/lane_source.hpp"
#include "codegen/emit/line_functions.hpp"
#include "codegen/emit/observed_values.hpp"
#include "codegen/emit/prepare_function.hpp"
#include "codegen/emit/quantities.hpp"
#include "codegen/emit/range_checks.hpp"
#include "codegen/emit/run_function.hpp"
#include "codegen/emit/sparse_blocks.hpp"
#include "codegen/emit/start_functions.hpp"
#include "codegen/emit/switched_functions.hpp"
#include "codegen/emit/write_function.hpp"

namespace takt::codegen {
namespace {

void emit_evaluate(const SubsystemView& view, Coefficients& coefficients,
                   SubsystemFunctions& functions) {
  FunctionBody body(view, coefficients, "z");
  const Surrogate& surrogate = view.surrogate;
  const auto [roots, symbols, steps] = stage_work(view);
  body.begin(steps, roots, true);
  for (const SymbolId symbol : view.plan.received) body.use_input(symbol);
  body.algebra(steps);
  for (std::size_t index = 0; index < surrogate.states.size(); ++index) {
    const SurrogateState& state = surrogate.states[index];
    body.assign("dz", index, state.derivative, "d/dt " + view.graph().symbol(state.symbol).path);
  }
  write_quadratures(view, body);
  write_function(functions, view, {"evaluate", stage_parameters()},
                 {body.statements(), in_stage(view, body.values())});
  if (functions.names && may_be_in_lanes(view)) functions.evaluate = taken(body.statements());
}

/// Of a switched circuit: everything, from its last point.
void emit_finish(const SubsystemView& view, Coefficients& coefficients,
                 SubsystemFunctions& functions) {
  FunctionBody body(view, coefficients, "x");
  std::vector<Expr> roots = range_roots(view, Judged::always);
  roots.push_back(view.surrogate.energy.stored);
  const std::vector<std::size_t> steps = needed_steps(view, roots, observed(view));
  body.begin(steps, roots, true);
  body.algebra(steps);
  store_observed(view, body);
  body.assign("energy", 3, view.surrogate.energy.stored, "stored [J]");
  count_ranges(view, body, Judged::always);
  code::Values& v = body.values();
  const code::Value last = v.member(v.element_at(v.variable("point"), v.variable("now")), "w");
  const code::Value histories =
      v.call(v.member(last, "data"), std::initializer_list<code::Value>{});
  write_function(
      functions, view, {"finish", time_parameters},
      {.statements = body.statements(), .alias = alias_of(v, {"const double*", "w"}, histories)});
}

/// What others read at the end of every window; the rest waits until somebody looks. Nonlinear
/// blocks that no stage solves are solved here: a guess from the last look could be far by the
/// next.
void emit_outputs(const SubsystemView& view, Coefficients& coefficients,
                  SubsystemFunctions& functions) {
  FunctionBody body(view, coefficients, "x");
  std::vector<SymbolId> wanted(view.read.begin(), view.read.end());
  const std::vector<std::size_t> in_stages = stage_work(view).steps;
  for (std::size_t step = 0; step < view.surrogate.algebra.size(); ++step) {
    const bool is_block = is_iterated(view.surrogate.algebra[step]);
    if (is_block && !std::binary_search(in_stages.begin(), in_stages.end(), step))
      wanted.push_back(view.surrogate.algebra[step].newton.unknowns.front());
  }
  const std::vector<Expr> roots = range_roots(view, Judged::each_window);
  const std::vector<std::size_t> steps = needed_steps(view, roots, wanted);
  body.begin(steps, roots, true);
  for (const SymbolId symbol : view.plan.outputs)
    if (view.read.contains(symbol)) body.use_state(symbol);
  body.algebra(steps);
  store_observed(view, body, Observed::read_by_others);
  count_ranges(view, body, Judged::each_window);
  write_function(functions, view, {"finish", time_parameters}, {body.statements()});
  if (functions.names && may_be_in_lanes(view)) functions.finish = taken(body.statements());
}

void emit_observe(const SubsystemView& view, Coefficients& coefficients,
                  SubsystemFunctions& functions) {
  FunctionBody body(view, coefficients, "x");
  const std::vector<EquationCheck> checks = testable(view);
  std::vector<Expr> roots = roots_of(checks);
  const std::vector<Expr> ranges = range_roots(view, Judged::seldom);
  roots.insert(roots.end(), ranges.begin(), ranges.end());
  roots.push_back(view.surrogate.energy.stored);
  const std::vector<std::size_t> steps = needed_steps(view, roots, observed(view));
  body.leave_nothing_unless("keep");
  body.begin(steps, roots, true);
  body.algebra(steps);
  store_observed(view, body, Observed::rest);
  body.assign("energy", 3, view.surrogate.energy.stored, "stored [J]");
  emit_equation_checks(checks, body);
  count_ranges(view, body, Judged::seldom);
  write_function(functions, view, {"observe", time_and({{"bool", "keep"}})}, {body.statements()});
}

}  // namespace

void write_quadratures(const SubsystemView& view, FunctionBody& body) {
  std::size_t quadrature = 0;
  const auto integrate = [&](code::Value value, const std::string& comment) {
    body.store("dq", quadrature++, value, comment);
  };
  for (const SymbolId symbol : view.plan.sent)
    integrate(body.own(symbol), "sent: " + view.label(symbol));
  for (const SymbolId symbol : view.plan.received) {
    integrate(body.statements().value_of(symbol), "received: " + view.label(symbol));
  }
  const EnergyBalance& energy = view.surrogate.energy;
  body.assign("dq", quadrature++, energy.supplied, "supplied [W]");
  const bool by_storages = by_kind(
      view.surrogate.kind, [](const SmoothCircuit&) { return false; },
      [](const SwitchedCircuit&) { return true; }, [](const ControlTask&) { return false; },
      [](const ForeignTask&) { return false; });
  if (by_storages)
    body.assign("dq", quadrature++, energy.absorbed, "absorbed by storages [W]");
  else
    body.assign("dq", quadrature++, energy.dissipated, "dissipated [W]");
  body.assign("dq", quadrature++, energy.exchanged, "exchanged [W]");
  if (by_storages) return;
  for (std::size_t index = 0; index < view.still.size(); ++index)
    body.store("still_now", index, body.own(view.still[index].symbol), view.still[index].node);
}

namespace {

/// @param prepare  gets its last statements
void emit_smooth(const SubsystemView& view, Coefficients& coefficients, Statements& prepare,
                 SubsystemFunctions& functions) {
  SubsystemView stages = view;  // what a window holds; what is seen at its end is not held
  if (view.plan.linear)
    stages.held.insert(view.plan.linear->held.begin(), view.plan.linear->held.end());
  emit_evaluate(stages, coefficients, functions);
  emit_next_instant(view, coefficients, functions);
  emit_events(view, coefficients, functions);
  if (view.plan.method->solves) emit_implicit(view, coefficients, functions);
  if (view.plan.linear) emit_exact(stages, coefficients, prepare, functions);
  emit_line_ends(view, coefficients, functions);
  emit_outputs(view, coefficients, functions);
  emit_observe(view, coefficients, functions);
  write_run(view, functions);
}

void emit_switched_circuit(const SubsystemView& view, Quantities& quantities,
                           Coefficients& coefficients, SubsystemFunctions& functions) {
  const SubsystemView factored = factored_view(view);
  const SubsystemView held = held_view(view);
  Coefficients held_coefficients(view.graph(), held.fixed, "g", &coefficients);
  Coefficients factors(view.graph(), factored.fixed, "f", &held_coefficients);
  held_coefficients.name_after(quantities);
  factors.name_after(quantities);
  emit_switched({view, coefficients}, {factored, factors}, functions);
  emit_next_instant(view, coefficients, functions);
  for (const Coefficients::Coefficient& factor : factors.all())
    quantities.name.emplace(factor.value, factor.quantity);
  emit_factor(held, held_coefficients, factors, functions);
  emit_hold_inputs(view, coefficients, held_coefficients, functions);
  emit_finish(view, coefficients, functions);
  write_run(view, functions);
  functions.factors = members_of(factors);
  functions.held_coefficients = members_of(held_coefficients);
}

}  // namespace

SubsystemFunctions emit_functions(const SubsystemView& view,
                                  const std::shared_ptr<code::Naming>& key_names) {
  SubsystemFunctions functions(key_names);
  Quantities quantities = quantities_of(view);
  Coefficients coefficients(view.graph(), view.fixed);
  coefficients.name_after(quantities);
  if (is_large(view)) coefficients.number();
  Statements prepare(view.graph(), nullptr);
  write_sparse_tables(view, functions.text);
  write_flow_tables(view, functions.text);
  emit_initialize(view, coefficients, functions);
  coefficients.forget_uses();
  by_kind(
      view.surrogate.kind,
      [&](const SmoothCircuit&) { emit_smooth(view, coefficients, prepare, functions); },
      [&](const SwitchedCircuit&) {
        emit_switched_circuit(view, quantities, coefficients, functions);
      },
      [&](const ControlTask& task) { emit_control(view, task, coefficients, functions); },
      [&](const ForeignTask& task) { emit_foreign(view, task, coefficients, functions); });
  emit_factorisations(view, coefficients, prepare);
  emit_flow_coefficients(view, coefficients, prepare);
  functions.running_parameters = parameters_of(view, coefficients.used_expressions());
  emit_prepare(view, coefficients, prepare, functions);
  functions.coefficients = members_of(coefficients);
  return functions;
}

}  // namespace takt::codegen
