// Gates of a switched circuit: their levels, the legs that move them, and the edges that come.
#include <algorithm>

#include "codegen/code/runtime_names.hpp"
#include "codegen/emit/switched_bodies.hpp"

namespace takt::codegen {
namespace {

void emit_gate_levels(const SubsystemView& view, Coefficients& coefficients,
                      SubsystemFunctions& functions) {
  std::vector<Expr> roots;
  for (const std::uint32_t k : switched_circuit(view.surrogate.kind).gates)
    roots.push_back(view.network.gates[k].signal);
  FunctionBody body = body_for(view, coefficients, roots);
  for (std::size_t index = 0; index < roots.size(); ++index) {
    const code::Value level = body.statements().condition(roots[index]);
    body.store("levels", index, body.values().as_number(level), "");
  }
  write_function(functions, view, {"gate_levels", time_and({{"double*", "levels"}})},
                 {body.statements()});
}

/// The time since the window began, where a function has only t.
code::Definition window_begins(code::Values& values) {
  return alias_of(values, {"const double", "s"}, values.number(0.0));
}

/// One function per leg: its duty at time t.
void emit_duties(const SubsystemView& view, Coefficients& coefficients,
                 SubsystemFunctions& functions) {
  const auto& legs = switched_circuit(view.surrogate.kind).legs;
  for (std::size_t index = 0; index < legs.size(); ++index) {
    const PwmLeg& leg = view.network.legs[legs[index]];
    FunctionBody body = body_for(view, coefficients, {leg.duty});
    body.statements().last().give(body.statements().value(leg.duty));
    write_function(functions, view, {"duty_" + std::to_string(index), time_parameters, "double"},
                   {body.statements()});
  }
}

std::string duty_call(const SubsystemView& view, std::size_t index) {
  const std::string duty = "[this, window_t](double at) noexcept { return duty_" +
                           std::to_string(index) + "(at, at - window_t); }";
  if (view.turns.empty()) return duty;
  return "takt::DutyWithTurns{" + duty +
         ", [this](double at, double) noexcept { return next_turn(at); }}";
}

code::Value duty_value(const SubsystemView& view, std::size_t index, code::Values& values) {
  return values.verbatim(duty_call(view, index), {values.variable("window_t")});
}

code::Value carrier_word(Carrier carrier, code::Values& values) {
  return values.variable(std::string(runtime::carrier) +
                         (carrier == Carrier::triangle ? "::triangle" : "::sawtooth"));
}

code::Value update_word(DutyUpdate update, code::Values& values) {
  const auto word = [&] {
    switch (update) {
      case DutyUpdate::continuous:
        return "::continuous";
      case DutyUpdate::valley:
        return "::valley";
      case DutyUpdate::peak:
        return "::peak";
      case DutyUpdate::both:
        return "::both";
    }
    return "::both";
  };
  return values.variable(std::string(runtime::duty_update) + word());
}

/// const double window_t = t;
void define_window(Statements& statements) {
  code::Values& values = statements.values();
  statements.block().add(
      code::Definition{values.name("double"), values.variable("window_t"), values.variable("t")});
}

void emit_start_gates(const SubsystemView& view, Coefficients& coefficients,
                      SubsystemFunctions& functions) {
  const SwitchedCircuit& part = switched_circuit(view.surrogate.kind);
  std::vector<Expr> roots;
  for (const std::uint32_t k : part.legs) {
    const PwmLeg& leg = view.network.legs[k];
    roots.insert(roots.end(), {leg.frequency, leg.phase, leg.dead_time});
  }
  for (const std::uint32_t k : part.timed_gates) roots.push_back(view.network.timed_gates[k].level);
  for (const std::uint32_t k : part.modes) roots.push_back(view.network.modes[k].start);
  for (const std::uint32_t k : part.points)
    roots.insert(roots.end(), {view.network.points[k].start, view.network.points[k].tolerance});
  FunctionBody body = body_for(view, coefficients, roots);
  Statements& statements = body.statements();
  code::Values& values = statements.values();
  if (!part.legs.empty()) define_window(statements);
  std::size_t root = 0;
  for (std::size_t index = 0; index < part.legs.size(); ++index) {
    const PwmLeg& leg = view.network.legs[part.legs[index]];
    std::vector<code::Value> settings;
    for (const std::string_view field :
         {runtime::frequency_hz, runtime::phase, runtime::dead_time_s})
      settings.push_back(values.field(field, statements.value(roots[root++])));
    settings.push_back(values.field(runtime::settings_carrier, carrier_word(leg.carrier, values)));
    settings.push_back(values.field(runtime::settings_update, update_word(leg.update, values)));
    statements.block().act(
        values.call(values.member(values.element("legs", index), "start"),
                    {values.variable("t"), values.list(settings, runtime::pwm_settings),
                     duty_value(view, index, values)}),
        statements.note(leg.path));
  }
  for (std::size_t index = 0; index < part.timed_gates.size(); ++index)
    body.store("timed", index,
               values.list({values.field(runtime::gate_level,
                                         values.as_number(statements.condition(roots[root++])))}),
               "");
  for (std::size_t index = 0; index < part.modes.size(); ++index)
    body.assign("modes", index, roots[root++], "");
  for (std::size_t index = 0; index < part.points.size(); ++index) {
    body.assign("points", index, roots[root++], "");
    body.assign("tolerances", index, roots[root++], "");
  }
  write_function(functions, view, {"start_gates", {{"double", "t"}}},
                 {.statements = statements, .alias = window_begins(values)});
}

void emit_command_gates(const SubsystemView& view, Coefficients& coefficients,
                        SubsystemFunctions& functions) {
  const SwitchedCircuit& part = switched_circuit(view.surrogate.kind);
  std::vector<Expr> roots;
  for (const std::uint32_t k : part.timed_gates)
    roots.insert(roots.end(),
                 {view.network.timed_gates[k].level, view.network.timed_gates[k].delay});
  FunctionBody body = body_for(view, coefficients, roots);
  Statements& statements = body.statements();
  code::Values& values = statements.values();
  if (!part.legs.empty()) define_window(statements);
  const code::Value t = values.variable("t");
  for (std::size_t index = 0; index < part.legs.size(); ++index)
    statements.block().act(values.call(values.member(values.element("legs", index), "replan"),
                                       {t, duty_value(view, index, values)}));
  for (std::size_t index = 0; index < part.timed_gates.size(); ++index) {
    const code::Value level = statements.value(roots[2 * index]),
                      delay = statements.value(roots[2 * index + 1]);
    statements.block().act(values.call(
        values.member(values.element("timed", index), runtime::gate_command), {t, level, delay}));
  }
  write_function(functions, view, {"command_gates", {{"double", "t"}}},
                 {.statements = statements, .alias = window_begins(values)});
}

/// Whether a duty reads neither states nor switches: then it is known ahead as far as inputs are.
bool is_of_time(const SubsystemView& view, Expr duty) {
  const SwitchedCircuit& part = switched_circuit(view.surrogate.kind);
  std::vector<SymbolId> read = view.graph().symbols_of(duty);
  for (const std::size_t step : needed_steps(view, {duty}, {})) {
    const AlgebraicStep& algebra = view.surrogate.algebra[step];
    if (algebra.kind != AlgebraicStep::Kind::assignment) return false;
    for (const SymbolId symbol : view.graph().symbols_of(algebra.assignment.value))
      read.push_back(symbol);
  }
  return std::none_of(read.begin(), read.end(), [&](SymbolId symbol) {
    return view.state.contains(symbol) ||
           std::find(part.discrete.begin(), part.discrete.end(), symbol) != part.discrete.end() ||
           std::find(part.histories.begin(), part.histories.end(), symbol) != part.histories.end();
  });
}

void emit_edges_of_gates(const SubsystemView& view, Writer& text) {
  const SwitchedCircuit& part = switched_circuit(view.surrogate.kind);
  text.blank();
  text.open_of("double ", view.type,
               "::next_edge(double window_t, " +
                   list_of({{"double", "until"}}, !part.legs.empty()) + ") noexcept");
  text.line("double next = std::numeric_limits<double>::infinity();");
  for (std::size_t index = 0; index < part.legs.size(); ++index)
    text.line("next = takt::math::min(next, legs[" + std::to_string(index) +
              "].next_change(window_t + until, " + duty_call(view, index) +
              (is_of_time(view, view.network.legs[part.legs[index]].duty) ? ", true" : "") + "));");
  for (std::size_t index = 0; index < part.timed_gates.size(); ++index)
    text.line("next = takt::math::min(next, timed[" + std::to_string(index) + "].at);");
  text.line("return next - window_t;");
  text.close();
  text.blank();
  const bool moves = !part.legs.empty() || !part.timed_gates.empty();
  text.open_of("void ", view.type,
               "::apply_edges(" + list_of({{"double", "t"}}, moves) + ") noexcept");
  for (std::size_t index = 0; index < part.legs.size(); ++index)
    text.line("legs[" + std::to_string(index) + "].apply(t);");
  for (std::size_t index = 0; index < part.timed_gates.size(); ++index)
    text.line("timed[" + std::to_string(index) + "].apply(t);");
  text.close();
}

}  // namespace

void emit_gates(const SubsystemView& view, Coefficients& coefficients,
                SubsystemFunctions& functions) {
  emit_gate_levels(view, coefficients, functions);
  emit_duties(view, coefficients, functions);
  emit_start_gates(view, coefficients, functions);
  emit_command_gates(view, coefficients, functions);
  emit_edges_of_gates(view, functions.text);
}

}  // namespace takt::codegen
