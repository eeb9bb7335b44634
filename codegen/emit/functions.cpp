#include "codegen/emit/functions.hpp"

#include <algorithm>
#include <stdexcept>

#include "codegen/emit/control_functions.hpp"
#include "codegen/emit/equation_checks.hpp"
#include "codegen/emit/exact_functions.hpp"
#include "codegen/emit/flow_blocks.hpp"
#include "codegen/emit/foreign_functions.hpp"
#include "codegen/emit/function_body.hpp"
#include "codegen/emit/implicit_functions.hpp"
#include "codegen/emit/instant_functions.hpp"
#include "codegen/emit/line_functions.hpp"
#include "codegen/emit/observed_values.hpp"
#include "codegen/emit/prepare_function.hpp"
#include "codegen/emit/quantities.hpp"
#include "codegen/emit/range_checks.hpp"
#include "codegen/emit/sparse_blocks.hpp"
#include "codegen/emit/start_functions.hpp"
#include "codegen/emit/switched_functions.hpp"
#include "codegen/text/literal.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen {
namespace {

void emit_evaluate(const SubsystemView& view, Coefficients& coefficients, SubsystemFunctions& functions) {
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
  write_function(functions, view,
                 {"evaluate",
                  "[[maybe_unused]] double t, [[maybe_unused]] double s, [[maybe_unused]] const double* z, "
                  "[[maybe_unused]] double* dz, [[maybe_unused]] double* dq",
                  "t, s, z, dz, dq"},
                 {body.statements(), stage_lines(view)});
}

/// Of a switched circuit: everything, from its last point.
void emit_finish(const SubsystemView& view, Coefficients& coefficients, SubsystemFunctions& functions) {
  FunctionBody body(view, coefficients, "x");
  std::vector<Expr> roots = range_roots(view, Judged::always);
  roots.push_back(view.surrogate.energy.stored);
  const std::vector<std::size_t> steps = needed_steps(view, roots, observed(view));
  body.begin(steps, roots, true);
  body.algebra(steps);
  store_observed(view, body);
  body.assign("energy", 3, view.surrogate.energy.stored, "stored [J]");
  count_ranges(view, body, Judged::always);
  write_function(functions, view, {"finish", "[[maybe_unused]] double t, [[maybe_unused]] double s", "t, s"},
                 {.statements = body.statements(), .alias = "[[maybe_unused]] const double* w = point[now].w.data();"});
}

/// What others read at the end of every window; the rest waits until somebody looks. Nonlinear blocks that no stage
/// solves are solved here: a guess from the last look could be far by the next.
void emit_outputs(const SubsystemView& view, Coefficients& coefficients, SubsystemFunctions& functions) {
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
  write_function(functions, view, {"finish", "[[maybe_unused]] double t, [[maybe_unused]] double s", "t, s"},
                 {body.statements()});
}

void emit_observe(const SubsystemView& view, Coefficients& coefficients, SubsystemFunctions& functions) {
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
  write_function(
      functions, view,
      {"observe", "[[maybe_unused]] double t, [[maybe_unused]] double s, [[maybe_unused]] bool keep", "t, s, keep"},
      {body.statements()});
}

std::string solver_name(const PlanSubsystem& plan) {
  if (plan.method->call.empty()) throw std::logic_error("discrete and switched subsystems have no such solver");
  std::string name(plan.method->call);
  if (const std::size_t place = name.find('#'); place != std::string::npos)
    name.replace(place, 1, std::to_string(plan.stages));
  return name;
}

std::string method_call(const SubsystemView& view) {
  if (!view.plan.method->is_offline()) return solver_name(view.plan) + "(*this, window);";
  return "takt::offline::run(*this, window, &takt::offline::make_" + std::string(view.plan.method->name) +
         ", {.relative = " + double_literal(view.plan.tolerance) +
         ", .largest_step_s = " + double_literal(static_cast<double>(view.plan.largest_step_ns) / 1e9) + "});";
}

/// What the dissipators of a switched circuit took follows from what sources gave, storages took and heat ports sent.
void account_switched(const SubsystemView& view, Writer& text) {
  const std::vector<SymbolId>& sent = view.plan.sent;
  const std::size_t base = sent.size() + view.plan.received.size();
  text.line("double exchanged = " + at("q", base + 2) + ";");
  for (const SymbolId heat : view.surrogate.energy.heat_sent) {
    const auto place = std::find(sent.begin(), sent.end(), heat);
    text.line("exchanged -= " + at("q", static_cast<std::size_t>(place - sent.begin())) + ";");
  }
  text.line("energy[0] += " + at("q", base) + ";");
  text.line("energy[1] += " + at("q", base) + " + exchanged - " + at("q", base + 1) + ";");
  text.line("energy[2] += exchanged;");
  text.line("energy[4] += takt::math::abs(" + at("q", base) + ") + takt::math::abs(" + at("q", base) +
            " + exchanged - " + at("q", base + 1) + ") + takt::math::abs(exchanged);");
}

/// The three powers of a smooth circuit, integrated.
void account_smooth(const SubsystemView& view, Writer& text) {
  const std::size_t base = view.plan.sent.size() + view.plan.received.size();
  std::string magnitudes;
  for (std::size_t power = 0; power < 3; ++power) {
    text.line(at("energy", power) + " += " + at("q", base + power) + ";");
    magnitudes += (power == 0 ? "" : " + ") + ("takt::math::abs(" + at("q", base + power) + ")");
  }
  text.line("energy[4] += " + magnitudes + ";");
}

/// How a window is computed, and what it adds to the energies.
struct WindowCode {
  std::string solve;
  void (*account)(const SubsystemView& view, Writer& text);
};

WindowCode window_code(const SubsystemView& view) {
  return by_kind(
      view.surrogate.kind,
      [&](const SmoothCircuit&) {
        return WindowCode{method_call(view), account_smooth};
      },
      [](const SwitchedCircuit&) {
        return WindowCode{"takt::run_switched(*this, window);", account_switched};
      },
      [](const ControlTask&) -> WindowCode { throw std::logic_error("control tasks are executed by emit_control"); },
      [](const ForeignTask&) -> WindowCode { throw std::logic_error("FMUs are executed by emit_foreign"); });
}

void emit_run(const SubsystemView& view, Writer& text) {
  const WindowCode code = window_code(view);
  text.blank();
  text.open_of("void ", view.type, "::run(const takt::Window& window) noexcept");
  text.line("newton[0] = 0.0;");
  text.line(code.solve);
  std::size_t quadrature = 0;
  const auto take = [&](const char* array, std::size_t count, const char* op) {
    for (std::size_t index = 0; index < count; ++index) text.line(at(array, index) + op + at("q", quadrature++) + ";");
  };
  take("sent", view.plan.sent.size(), " = ");
  take("received", view.plan.received.size(), " = ");
  code.account(view, text);
  text.line("const std::int64_t length_ns = window.steps * window.step_ns;");
  text.line(
      "const double end_s = static_cast<double>(window.start_ns + length_ns) / 1e9, length_s = "
      "static_cast<double>(length_ns) / 1e9;");
  text.line("finish(end_s, length_s);");
  if (const int every = look_every(view); every > 0)
    text.line("if ((unseen += 1.0) >= " + double_literal(every) + ") observe(end_s, length_s, false), unseen = 0.0;");
  if (is_large(view) && !view.still.empty())
    text.line("for (std::size_t n = 0; n < still.size(); ++n) still[n] += still_now[n];");
  for (std::size_t index = 0; index < view.still.size() && !is_large(view); ++index)
    text.line(at("still", index) + " += " + at("still_now", index) + ";");
  text.line("newton[1] = takt::math::max(newton[0], newton[1]);");
  text.close();
}

}  // namespace

void write_quadratures(const SubsystemView& view, FunctionBody& body) {
  std::size_t quadrature = 0;
  const auto integrate = [&](code::Value value, const std::string& comment) {
    body.store("dq", quadrature++, value, comment);
  };
  for (const SymbolId symbol : view.plan.sent) integrate(body.own(symbol), "sent: " + view.label(symbol));
  for (const SymbolId symbol : view.plan.received) {
    integrate(body.statements().value_of(symbol), "received: " + view.label(symbol));
  }
  const EnergyBalance& energy = view.surrogate.energy;
  body.assign("dq", quadrature++, energy.supplied, "supplied [W]");
  const bool by_storages = by_kind(
      view.surrogate.kind, [](const SmoothCircuit&) { return false; }, [](const SwitchedCircuit&) { return true; },
      [](const ControlTask&) { return false; }, [](const ForeignTask&) { return false; });
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
  if (view.plan.linear) stages.held.insert(view.plan.linear->held.begin(), view.plan.linear->held.end());
  emit_evaluate(stages, coefficients, functions);
  emit_next_instant(view, coefficients, functions);
  if (view.plan.method->solves) emit_implicit(view, coefficients, functions);
  if (view.plan.linear) emit_exact(stages, coefficients, prepare, functions);
  emit_line_ends(view, coefficients, functions);
  emit_outputs(view, coefficients, functions);
  emit_observe(view, coefficients, functions);
  emit_run(view, functions.text);
}

void emit_switched_circuit(const SubsystemView& view, Quantities& quantities, Coefficients& coefficients,
                           SubsystemFunctions& functions) {
  const SubsystemView factored = factored_view(view);
  const SubsystemView held = held_view(view);
  Coefficients held_coefficients(view.graph(), held.fixed, "g", &coefficients);
  Coefficients factors(view.graph(), factored.fixed, "f", &held_coefficients);
  held_coefficients.name_after(quantities);
  factors.name_after(quantities);
  emit_switched({view, coefficients}, {factored, factors}, functions);
  emit_next_instant(view, coefficients, functions);
  for (const Coefficients::Coefficient& factor : factors.all()) quantities.name.emplace(factor.value, factor.quantity);
  emit_factor(held, held_coefficients, factors, functions);
  emit_hold_inputs(view, coefficients, held_coefficients, functions);
  emit_finish(view, coefficients, functions);
  emit_run(view, functions.text);
  functions.factors = members_of(factors);
  functions.held_coefficients = members_of(held_coefficients);
}

}  // namespace

SubsystemFunctions emit_functions(const SubsystemView& view, const std::shared_ptr<code::Naming>& key_names) {
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
      view.surrogate.kind, [&](const SmoothCircuit&) { emit_smooth(view, coefficients, prepare, functions); },
      [&](const SwitchedCircuit&) { emit_switched_circuit(view, quantities, coefficients, functions); },
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
