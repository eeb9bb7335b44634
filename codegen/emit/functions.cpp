#include "codegen/emit/functions.hpp"

#include <algorithm>
#include <stdexcept>

#include "codegen/emit/equation_checks.hpp"
#include "codegen/emit/exact_functions.hpp"
#include "codegen/emit/function_body.hpp"
#include "codegen/emit/implicit_functions.hpp"
#include "codegen/emit/range_checks.hpp"
#include "codegen/emit/switched_functions.hpp"
#include "codegen/emit/symbol_order.hpp"
#include "codegen/expr/texts.hpp"
#include "codegen/text/literal.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen {
namespace {

/// Symbols stored at the end of a window that need the algebra.
std::vector<SymbolId> observed(const SubsystemView& view) {
  std::vector<SymbolId> symbols = view.plan.outputs;
  symbols.insert(symbols.end(), view.signals.begin(), view.signals.end());
  return symbols;
}

enum class Observed { all, read_by_others, rest };

void store_observed(const SubsystemView& view, FunctionBody& body, Observed which = Observed::all) {
  const auto store = [&](const char* array, const std::vector<SymbolId>& symbols) {
    for (std::size_t index = 0; index < symbols.size(); ++index) {
      if (which != Observed::all && view.read.contains(symbols[index]) != (which == Observed::read_by_others)) continue;
      body.statements().writer().line(at(array, index) + " = " + body.own(symbols[index]) + ";  // " +
                                      view.label(symbols[index]));
    }
  };
  store("outputs", view.plan.outputs);
  if (which != Observed::read_by_others) store("signals", view.signals);
}

/// Everything that start values and first guesses are computed from, each once and before what reads it.
class StartBody {
 public:
  StartBody(const SubsystemView& view, FunctionBody& body)
      : view_(view),
        body_(body),
        done_(view.surrogate.algebra.size(), false),
        turned_(view.surrogate.start_laws.size(), false) {}

  void store_guesses() {
    for (std::size_t index = 0; index < view_.surrogate.algebra.size(); ++index) {
      const NewtonBlock& block = view_.surrogate.algebra[index].newton;
      for (std::size_t row = 0; row < block.guesses.size(); ++row) {
        turn_round_for({block.guesses[row]});
        body_.assign(at("warm", view_.warm[index] + row), block.guesses[row], view_.label(block.unknowns[row]));
      }
    }
  }

  /// In the order of the states, each after the algebra it needs.
  void store_starts() {
    for (std::size_t index = 0; index < view_.surrogate.states.size(); ++index) {
      const SurrogateState& state = view_.surrogate.states[index];
      turn_round_for({state.start});
      algebra_for({state.start});
      body_.assign(at("x", index), state.start, view_.label(state.symbol));
      body_.statements().bind(state.symbol, at("x", index));
    }
  }

 private:
  void algebra_for(const std::vector<Expr>& roots) {
    std::vector<std::size_t> now;
    for (const std::size_t step : needed_steps(view_, roots, {})) {
      if (!done_[step]) now.push_back(step);
      done_[step] = true;
    }
    body_.algebra(now);
  }

  void turn_round_for(const std::vector<Expr>& roots) {
    const std::vector<SymbolId> read = view_.graph().symbols_of(roots);
    for (std::size_t index = 0; index < turned_.size(); ++index) {
      const StartLaw& law = view_.surrogate.start_laws[index];
      if (turned_[index] || !std::binary_search(read.begin(), read.end(), law.unknown)) continue;
      turned_[index] = true;
      turn_round_for({law.law, law.wanted});
      algebra_for({law.law, law.wanted});
      body_.solve(law);
    }
  }

  const SubsystemView& view_;
  FunctionBody& body_;
  std::vector<bool> done_, turned_;
};

void emit_initialize(const SubsystemView& view, Coefficients& coefficients, SubsystemFunctions& functions) {
  FunctionBody body(view, coefficients, "x");
  std::vector<Expr> roots;
  for (const SurrogateState& state : view.surrogate.states) roots.push_back(state.start);
  for (const StartLaw& start : view.surrogate.start_laws) roots.insert(roots.end(), {start.law, start.wanted});
  const std::vector<std::size_t> steps = needed_steps(view, roots, {});
  for (const AlgebraicStep& step : view.surrogate.algebra) {
    roots.insert(roots.end(), step.newton.guesses.begin(), step.newton.guesses.end());
  }
  body.begin(steps, roots, false);
  StartBody start(view, body);
  start.store_guesses();
  start.store_starts();
  std::vector<std::string> before;
  for (const char* array : {"sent", "received", "energy", "newton", "warm"})
    before.push_back(std::string(array) + " = {};");
  if (!view.still.empty()) before.emplace_back("still = {};");
  if (!view.surrogate.checks.empty()) before.emplace_back("inaccurate = 0.0, unchecked = 1e3;");
  if (view.newton_blocks > 0) before.emplace_back("unsolved = {}, turned = {};");
  if (!view.ranges.empty()) before.emplace_back("left = {};");
  if (any_may_pass(view)) before.emplace_back("running = {};");
  if (look_every(view) > 0) before.push_back("unseen = " + double_literal(first_pause(view)) + ";");
  before.emplace_back("start(0.0, 0.0);");
  if (std::holds_alternative<SwitchedCircuit>(view.surrogate.kind)) before.push_back("half_step = 0.0;");
  if (std::holds_alternative<SwitchedCircuit>(view.surrogate.kind))
    before.push_back("takt::start_switched(*this, " + double_literal(static_cast<double>(view.plan.step_ns) * 1e-9) +
                     ");");
  // Guesses may be far: the first solve is repeated, and what it leaves does not count as a residual of the run.
  const std::string settle = std::holds_alternative<ControlTask>(view.surrogate.kind) ? "tick(0.0, 0.0, false);"
                             : std::holds_alternative<SwitchedCircuit>(view.surrogate.kind)
                                 ? "finish(0.0, 0.0);"
                                 : "observe(0.0, 0.0, true);";
  before.push_back(view.newton_blocks > 0 ? "for (int again = 0; again < 20; ++again) " + settle : settle);
  if (!std::holds_alternative<ControlTask>(view.surrogate.kind) &&
      !std::holds_alternative<SwitchedCircuit>(view.surrogate.kind))
    before.emplace_back("finish(0.0, 0.0);");
  if (view.newton_blocks > 0) before.emplace_back("newton = {};");
  write_function(functions, view, {"start", "[[maybe_unused]] double t, [[maybe_unused]] double s", "t, s"},
                 body.statements());
  write_function(functions, view, {"initialize", "", ""}, Statements(view.graph(), nullptr), before);
}

void emit_evaluate(const SubsystemView& view, Coefficients& coefficients, SubsystemFunctions& functions) {
  FunctionBody body(view, coefficients, "z");
  const Surrogate& surrogate = view.surrogate;
  const auto [roots, symbols, steps] = stage_work(view);
  body.begin(steps, roots, true);
  for (const SymbolId symbol : view.plan.received) body.use_input(symbol);
  body.algebra(steps);
  for (std::size_t index = 0; index < surrogate.states.size(); ++index) {
    const SurrogateState& state = surrogate.states[index];
    body.assign(at("dz", index), state.derivative, "d/dt " + view.graph().symbol(state.symbol).path);
  }
  write_quadratures(view, body);
  write_function(functions, view,
                 {"evaluate",
                  "[[maybe_unused]] double t, [[maybe_unused]] double s, [[maybe_unused]] const double* z, "
                  "[[maybe_unused]] double* dz, [[maybe_unused]] double* dq",
                  "t, s, z, dz, dq"},
                 body.statements());
}

void emit_finish(const SubsystemView& view, Coefficients& coefficients, SubsystemFunctions& functions) {
  FunctionBody body(view, coefficients, "x");
  std::vector<Expr> roots = range_roots(view, Judged::always);
  roots.push_back(view.surrogate.energy.stored);
  const std::vector<std::size_t> steps = needed_steps(view, roots, observed(view));
  body.begin(steps, roots, true);
  body.algebra(steps);
  store_observed(view, body);
  body.assign("energy[3]", view.surrogate.energy.stored, "stored [J]");
  count_ranges(view, body, Judged::always);
  std::vector<std::string> before;
  if (std::holds_alternative<SwitchedCircuit>(view.surrogate.kind))
    before.emplace_back("[[maybe_unused]] const double* w = point[now].w.data();");
  write_function(functions, view, {"finish", "[[maybe_unused]] double t, [[maybe_unused]] double s", "t, s"},
                 body.statements(), before);
}

/// What others read at the end of every window; the rest waits until somebody looks. Nonlinear blocks that no stage
/// solves are solved here: a guess from the last look could be far by the next.
void emit_outputs(const SubsystemView& view, Coefficients& coefficients, SubsystemFunctions& functions) {
  FunctionBody body(view, coefficients, "x");
  std::vector<SymbolId> wanted(view.read.begin(), view.read.end());
  const std::vector<std::size_t> in_stages = stage_work(view).steps;
  for (std::size_t step = 0; step < view.surrogate.algebra.size(); ++step) {
    const bool is_block = view.surrogate.algebra[step].kind == AlgebraicStep::Kind::newton;
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
                 body.statements());
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
  body.assign("energy[3]", view.surrogate.energy.stored, "stored [J]");
  emit_equation_checks(checks, body);
  count_ranges(view, body, Judged::seldom);
  write_function(
      functions, view,
      {"observe", "[[maybe_unused]] double t, [[maybe_unused]] double s, [[maybe_unused]] bool keep", "t, s, keep"},
      body.statements());
}

std::string solver_name(const PlanSubsystem& plan) {
  if (plan.method->call.empty()) throw std::logic_error("discrete and switched subsystems have no such solver");
  std::string name(plan.method->call);
  if (const std::size_t place = name.find('#'); place != std::string::npos)
    name.replace(place, 1, std::to_string(plan.stages));
  return name;
}

/// The statement that computes a window.
std::string solver_call(const SubsystemView& view) {
  if (std::holds_alternative<SwitchedCircuit>(view.surrogate.kind)) return "takt::run_switched(*this, window);";
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

void emit_run(const SubsystemView& view, Writer& text) {
  text.blank();
  text.open("void " + view.type + "::run(const takt::Window& window) noexcept");
  text.line("newton[0] = 0.0;");
  text.line(solver_call(view));
  std::size_t quadrature = 0;
  const auto take = [&](const char* array, std::size_t count, const char* op) {
    for (std::size_t index = 0; index < count; ++index) text.line(at(array, index) + op + at("q", quadrature++) + ";");
  };
  take("sent", view.plan.sent.size(), " = ");
  take("received", view.plan.received.size(), " = ");
  if (std::holds_alternative<SwitchedCircuit>(view.surrogate.kind))
    account_switched(view, text);
  else {
    const std::string first = at("q", quadrature), second = at("q", quadrature + 1), third = at("q", quadrature + 2);
    take("energy", 3, " += ");
    text.line("energy[4] += takt::math::abs(" + first + ") + takt::math::abs(" + second + ") + takt::math::abs(" +
              third + ");");
  }
  text.line("const std::int64_t length_ns = window.steps * window.step_ns;");
  text.line(
      "const double end_s = static_cast<double>(window.start_ns + length_ns) / 1e9, length_s = "
      "static_cast<double>(length_ns) / 1e9;");
  text.line("finish(end_s, length_s);");
  if (const int every = look_every(view); every > 0)
    text.line("if ((unseen += 1.0) >= " + double_literal(every) + ") observe(end_s, length_s, false), unseen = 0.0;");
  for (std::size_t index = 0; index < view.still.size(); ++index)
    text.line(at("still", index) + " += " + at("still_now", index) + ";");
  text.line("newton[1] = takt::math::max(newton[0], newton[1]);");
  text.close();
}

void emit_tick(const SubsystemView& view, Coefficients& coefficients, SubsystemFunctions& functions) {
  FunctionBody body(view, coefficients, "x");
  std::vector<Expr> roots;
  for (const Assignment& update : control_task(view.surrogate.kind).updates) roots.push_back(update.value);
  const std::vector<std::size_t> steps = needed_steps(view, roots, observed(view));
  body.begin(steps, roots, true);
  body.algebra(steps);
  store_observed(view, body);
  std::vector<std::string> names;
  for (const Assignment& update : control_task(view.surrogate.kind).updates) {
    const std::string wished = "next_" + identifier_of(view.graph().symbol(update.symbol).path);
    names.push_back(body.statements().local(wished, body.statements().value(update.value), ""));
  }
  for (std::size_t index = 0; index < names.size(); ++index) {
    const SymbolId symbol = control_task(view.surrogate.kind).updates[index].symbol;
    body.statements().writer().line("if (advance) " + at("x", view.state.at(symbol)) + " = " + names[index] + ";  // " +
                                    view.label(symbol));
  }
  write_function(
      functions, view,
      {"tick", "[[maybe_unused]] double t, [[maybe_unused]] double s, [[maybe_unused]] bool advance", "t, s, advance"},
      body.statements());
}

void emit_ticks(const SubsystemView& view, Writer& text) {
  text.blank();
  text.open("void " + view.type + "::run(const takt::Window& window) noexcept");
  text.open("for (std::int32_t step = 0; step < window.steps; ++step)");
  text.line("const std::int64_t passed_ns = step * window.step_ns;");
  if (view.plan.every_ns > view.plan.step_ns) {
    text.line("if ((window.start_ns + passed_ns) % " + std::to_string(view.plan.every_ns) +
              " != 0) continue;  // executed every " + duration_text(view.plan.every_ns));
  } else {
    text.line("if (window.step_ns < " + std::to_string(view.plan.every_ns) + " && (window.start_ns + passed_ns) % " +
              std::to_string(view.plan.every_ns) + " != 0) continue;  // an audit has shorter windows");
  }
  text.line(
      "tick(static_cast<double>(window.start_ns + passed_ns) / 1e9, static_cast<double>(passed_ns) / 1e9, true);");
  text.close();
  text.close();
}

/// Fixed assignments that the coefficients read, directly or not, in order.
std::vector<Assignment> fixed_assignments(const SubsystemView& view, const Coefficients& coefficients) {
  std::vector<bool> needed(view.surrogate.algebra.size(), false);
  std::vector<SymbolId> open = view.graph().symbols_of(coefficients.expressions());
  while (!open.empty()) {
    const auto found = view.defined_by.find(open.back());
    open.pop_back();
    if (found == view.defined_by.end() || needed[found->second]) continue;
    needed[found->second] = true;
    for (const SymbolId read : view.graph().symbols_of(view.surrogate.algebra[found->second].assignment.value))
      open.push_back(read);
  }
  std::vector<Assignment> assignments;
  for (std::size_t index = 0; index < needed.size(); ++index) {
    if (needed[index]) assignments.push_back(view.surrogate.algebra[index].assignment);
  }
  return assignments;
}

/// @param after  its last lines
void emit_prepare(const SubsystemView& view, const Coefficients& coefficients, const std::vector<std::string>& after,
                  SubsystemFunctions& functions) {
  constexpr std::size_t longest_meaning = 90;
  Statements statements(view.graph(), nullptr);
  if (view.graph().reachable(coefficients.expressions()).size() > largest_function) statements.spread();
  const std::vector<Assignment> assignments = fixed_assignments(view, coefficients);
  std::vector<Expr> roots;
  for (const Assignment& assignment : assignments) roots.push_back(assignment.value);
  roots.insert(roots.end(), coefficients.expressions().begin(), coefficients.expressions().end());
  for (const SymbolId symbol : symbols_in_order(view.graph(), roots)) {
    if (!view.parameter.contains(symbol)) continue;
    statements.bind(symbol, at("parameters", functions.parameters.size()));
    functions.parameters.push_back(view.parameter.at(symbol));
  }
  for (const Assignment& assignment : assignments) statements.count(assignment.value);
  for (const Expr e : coefficients.expressions()) statements.count(e);
  for (const Assignment& assignment : assignments)
    statements.define(assignment.symbol, assignment.value, view.label(assignment.symbol));
  const std::vector<std::string> meanings = texts(view.graph(), coefficients.expressions());
  for (std::size_t index = 0; index < coefficients.expressions().size(); ++index) {
    const Expr e = coefficients.expressions()[index];
    const bool inverse = coefficients.is_reciprocal(index);
    const std::string meaning = inverse ? "1/(" + meanings[index] + ")" : meanings[index];
    const std::string value = inverse ? "1.0 / (" + statements.value(e) + ")" : statements.value(e);
    statements.writer().line(at("k", index) + " = " + value + ";" +
                             (meaning.size() > longest_meaning ? "" : "  // " + meaning));
  }
  write_function(functions, view, {"prepare", "[[maybe_unused]] const double* parameters", "parameters"}, statements,
                 {}, after);
}

}  // namespace

void write_quadratures(const SubsystemView& view, FunctionBody& body) {
  std::size_t quadrature = 0;
  const auto integrate = [&](const std::string& value, const std::string& comment) {
    body.statements().writer().line(at("dq", quadrature++) + " = " + value + ";  // " + comment);
  };
  for (const SymbolId symbol : view.plan.sent) integrate(body.own(symbol), "sent: " + view.label(symbol));
  for (const SymbolId symbol : view.plan.received) {
    integrate(body.statements().text_of(symbol), "received: " + view.label(symbol));
  }
  const EnergyBalance& energy = view.surrogate.energy;
  body.assign(at("dq", quadrature++), energy.supplied, "supplied [W]");
  if (std::holds_alternative<SwitchedCircuit>(view.surrogate.kind))
    body.assign(at("dq", quadrature++), energy.absorbed, "absorbed by storages [W]");
  else
    body.assign(at("dq", quadrature++), energy.dissipated, "dissipated [W]");
  body.assign(at("dq", quadrature++), energy.exchanged, "exchanged [W]");
  if (std::holds_alternative<SwitchedCircuit>(view.surrogate.kind)) return;
  for (std::size_t index = 0; index < view.still.size(); ++index)
    body.statements().writer().line(at("still_now", index) + " = " + body.own(view.still[index].symbol) + ";  // " +
                                    view.still[index].node);
}

SubsystemFunctions emit_functions(const SubsystemView& view) {
  SubsystemFunctions functions;
  Coefficients coefficients(view.graph(), view.fixed);
  std::vector<std::string> maps;
  emit_initialize(view, coefficients, functions);
  if (std::holds_alternative<ControlTask>(view.surrogate.kind)) {
    emit_tick(view, coefficients, functions);
    emit_ticks(view, functions.text);
  } else if (std::holds_alternative<SwitchedCircuit>(view.surrogate.kind)) {
    const SubsystemView factored = factored_view(view);
    const SubsystemView held = held_view(view);
    Coefficients held_coefficients(view.graph(), held.fixed, "g", &coefficients);
    Coefficients factors(view.graph(), factored.fixed, "f", &held_coefficients);
    emit_switched(view, factored, coefficients, factors, functions);
    emit_factor(held, held_coefficients, factors, functions);
    emit_hold_inputs(view, coefficients, held_coefficients, functions);
    emit_finish(view, coefficients, functions);
    emit_run(view, functions.text);
    functions.factors = factors.expressions().size();
    functions.held_coefficients = held_coefficients.expressions().size();
  } else {
    SubsystemView stages = view;  // what a window holds; what is seen at its end is not held
    if (view.plan.linear) stages.held.insert(view.plan.linear->held.begin(), view.plan.linear->held.end());
    emit_evaluate(stages, coefficients, functions);
    if (view.plan.method->solves) emit_implicit(view, coefficients, functions);
    if (view.plan.linear) maps = emit_exact(stages, coefficients, functions);
    emit_outputs(view, coefficients, functions);
    emit_observe(view, coefficients, functions);
    emit_run(view, functions.text);
  }
  emit_prepare(view, coefficients, maps, functions);
  functions.coefficients = coefficients.expressions().size();
  return functions;
}

}  // namespace takt::codegen
