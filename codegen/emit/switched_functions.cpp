#include "codegen/emit/switched_functions.hpp"

#include <algorithm>

#include "codegen/emit/function_body.hpp"
#include "codegen/emit/prepare_function.hpp"
#include "codegen/emit/switched_bodies.hpp"
#include "codegen/emit/whole_steps.hpp"
#include "codegen/topology/mode_kinds.hpp"
#include "codegen/topology/switch_rules.hpp"

namespace takt::codegen {
namespace {

std::string count_of(std::size_t n) { return std::to_string(n); }

void emit_solve(const SubsystemView& view, Coefficients& factors, SubsystemFunctions& functions) {
  const Surrogate& surrogate = view.surrogate;
  const EnergyBalance& energy = surrogate.energy;
  std::vector<Expr> roots{energy.supplied, energy.absorbed, energy.exchanged};
  for (const SurrogateState& state : surrogate.states) roots.push_back(state.derivative);
  roots.insert(roots.end(), switched_circuit(surrogate.kind).indicators.begin(),
               switched_circuit(surrogate.kind).indicators.end());
  FunctionBody body(view, factors, "x");
  std::vector<SymbolId> wanted = view.plan.sent;
  if (view.plan.affine)
    wanted.insert(wanted.end(), switched_circuit(surrogate.kind).affine->columns.begin(),
                  switched_circuit(surrogate.kind).affine->columns.end());
  const std::vector<std::size_t> steps = needed_steps(view, roots, wanted);
  body.begin(steps, roots, true);
  for (const SymbolId symbol : view.plan.received) body.use_input(symbol);
  if (view.plan.affine) apply_affine(view, *switched_circuit(surrogate.kind).affine, body);
  body.algebra(steps);
  for (std::size_t index = 0; index < surrogate.states.size(); ++index)
    body.assign(at("dz", index), surrogate.states[index].derivative,
                "d/dt " + view.graph().symbol(surrogate.states[index].symbol).path);
  for (std::size_t index = 0; index < switched_circuit(surrogate.kind).histories.size(); ++index)
    body.statements().writer().line(at("v", index) + " = " + at("w", index) + " + 2.0 * half_step * " +
                                    at("dz", index) + ";  // history of a next whole step");
  write_quadratures(view, body);
  for (std::size_t index = 0; index < switched_circuit(surrogate.kind).modes.size(); ++index) {
    const std::string mode =
        view.graph().symbol(view.network.modes[switched_circuit(surrogate.kind).modes[index]].symbol).path;
    body.assign(at("e", index), switched_circuit(surrogate.kind).indicators[index], mode + " flips where > 0");
  }
  const FunctionHead head{"solve",
                          time_parameters + history_parameter +
                              ", [[maybe_unused]] double* dz, [[maybe_unused]] double* v, [[maybe_unused]] double* dq, "
                              "[[maybe_unused]] double* e",
                          "t, s, w, dz, v, dq, e", "bool"};
  if (!body.statements().is_spread() && emit_paired(view, head, body.statements().text().text(), functions)) return;
  write_function(
      functions, view, head,
      {.statements = body.statements(),
       .after = {switched_circuit(surrogate.kind).modes.empty() ? "return false;"
                                                                : "return takt::largest<mode_count>(e) > 0.0;"},
       .alias = read_factors});
}

void emit_points(const SubsystemView& view, Coefficients& factors, SubsystemFunctions& functions) {
  std::vector<Expr> roots;
  for (const std::uint32_t k : switched_circuit(view.surrogate.kind).points)
    roots.push_back(view.network.points[k].next);
  if (roots.empty()) return;
  FunctionBody body = body_between_factorisations(view, factors, roots);
  std::vector<std::string> moves;
  for (std::size_t index = 0; index < roots.size(); ++index) {
    const std::string next =
        body.statements().local("next_" + count_of(index), body.statements().value(roots[index]), "");
    moves.push_back("moved |= takt::math::abs(" + next + " - " + at("points", index) + ") > " +
                    at("tolerances", index) + ";");
    moves.push_back(at("points", index) + " = " + next + ";");
  }
  body.statements().writer().line("bool moved = false;");
  for (const std::string& move : moves) body.statements().writer().line(move);
  write_function(functions, view, {"move_points", time_parameters + history_parameter, "t, s, w", "bool"},
                 {.statements = body.statements(), .after = {"return moved;"}, .alias = read_factors});
}

void emit_gate_levels(const SubsystemView& view, Coefficients& coefficients, SubsystemFunctions& functions) {
  std::vector<Expr> roots;
  for (const std::uint32_t k : switched_circuit(view.surrogate.kind).gates)
    roots.push_back(view.network.gates[k].signal);
  FunctionBody body = body_for(view, coefficients, roots);
  for (std::size_t index = 0; index < roots.size(); ++index) {
    const std::string level = body.statements().condition(roots[index]);
    body.statements().writer().line(at("levels", index) + " = " + level + " ? 1.0 : 0.0;");
  }
  write_function(functions, view,
                 {"gate_levels", time_parameters + ", [[maybe_unused]] double* levels", "t, s, levels"},
                 {body.statements()});
}

/// One function per leg: its duty at time t.
void emit_duties(const SubsystemView& view, Coefficients& coefficients, SubsystemFunctions& functions) {
  const auto& legs = switched_circuit(view.surrogate.kind).legs;
  for (std::size_t index = 0; index < legs.size(); ++index) {
    const PwmLeg& leg = view.network.legs[legs[index]];
    FunctionBody body = body_for(view, coefficients, {leg.duty});
    const std::string duty = body.statements().value(leg.duty);
    write_function(functions, view, {"duty_" + count_of(index), time_parameters, "t, s", "double"},
                   {body.statements(), {}, {"return " + duty + ";"}});
  }
}

std::string duty_call(const SubsystemView& view, std::size_t index) {
  const std::string duty =
      "[this, window_t](double at) noexcept { return duty_" + count_of(index) + "(at, at - window_t); }";
  if (view.turns.empty()) return duty;
  return "takt::DutyWithTurns{" + duty + ", [this](double at, double) noexcept { return next_turn(at); }}";
}

std::string carrier_word(Carrier carrier) { return carrier == Carrier::triangle ? "triangle" : "sawtooth"; }

std::string update_word(DutyUpdate update) {
  switch (update) {
    case DutyUpdate::continuous:
      return "continuous";
    case DutyUpdate::valley:
      return "valley";
    case DutyUpdate::peak:
      return "peak";
    case DutyUpdate::both:
      return "both";
  }
  return "both";
}

void emit_start_gates(const SubsystemView& view, Coefficients& coefficients, SubsystemFunctions& functions) {
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
  if (!part.legs.empty()) statements.writer().line("const double window_t = t;");
  std::size_t root = 0;
  for (std::size_t index = 0; index < part.legs.size(); ++index) {
    const PwmLeg& leg = view.network.legs[part.legs[index]];
    std::vector<std::string> values;
    for (int k = 0; k < 3; ++k) values.push_back(statements.value(roots[root++]));
    statements.writer().line("legs[" + count_of(index) + "].start(t, takt::PwmSettings{.frequency_hz = " + values[0] +
                             ", .phase = " + values[1] + ", .dead_time_s = " + values[2] +
                             ", .carrier = takt::Carrier::" + carrier_word(leg.carrier) +
                             ", .update = takt::DutyUpdate::" + update_word(leg.update) + "}, " +
                             duty_call(view, index) + ");  // " + leg.path);
  }
  for (std::size_t index = 0; index < part.timed_gates.size(); ++index)
    statements.writer().line("timed[" + count_of(index) + "] = {.level = " + statements.condition(roots[root++]) +
                             " ? 1.0 : 0.0};");
  for (std::size_t index = 0; index < part.modes.size(); ++index) body.assign(at("modes", index), roots[root++], "");
  for (std::size_t index = 0; index < part.points.size(); ++index) {
    body.assign(at("points", index), roots[root++], "");
    body.assign(at("tolerances", index), roots[root++], "");
  }
  write_function(functions, view, {"start_gates", "[[maybe_unused]] double t", "t"},
                 {statements, {"[[maybe_unused]] const double s = 0.0;"}});
}

void emit_command_gates(const SubsystemView& view, Coefficients& coefficients, SubsystemFunctions& functions) {
  const SwitchedCircuit& part = switched_circuit(view.surrogate.kind);
  std::vector<Expr> roots;
  for (const std::uint32_t k : part.timed_gates)
    roots.insert(roots.end(), {view.network.timed_gates[k].level, view.network.timed_gates[k].delay});
  FunctionBody body = body_for(view, coefficients, roots);
  Statements& statements = body.statements();
  if (!part.legs.empty()) statements.writer().line("const double window_t = t;");
  for (std::size_t index = 0; index < part.legs.size(); ++index)
    statements.writer().line("legs[" + count_of(index) + "].replan(t, " + duty_call(view, index) + ");");
  for (std::size_t index = 0; index < part.timed_gates.size(); ++index) {
    const std::string level = statements.value(roots[2 * index]), delay = statements.value(roots[2 * index + 1]);
    statements.writer().line("timed[" + count_of(index) + "].command(t, " + level + ", " + delay + ");");
  }
  write_function(functions, view, {"command_gates", "[[maybe_unused]] double t", "t"},
                 {statements, {"[[maybe_unused]] const double s = 0.0;"}});
}

/// Whether a duty reads neither states nor switches: then it is known ahead as far as inputs are.
bool is_of_time(const SubsystemView& view, Expr duty) {
  const SwitchedCircuit& part = switched_circuit(view.surrogate.kind);
  std::vector<SymbolId> read = view.graph().symbols_of(duty);
  for (const std::size_t step : needed_steps(view, {duty}, {})) {
    const AlgebraicStep& algebra = view.surrogate.algebra[step];
    if (algebra.kind != AlgebraicStep::Kind::assignment) return false;
    for (const SymbolId symbol : view.graph().symbols_of(algebra.assignment.value)) read.push_back(symbol);
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
  text.open("double " + view.type +
            "::next_edge([[maybe_unused]] double window_t, [[maybe_unused]] double until) noexcept");
  text.line("double next = std::numeric_limits<double>::infinity();");
  for (std::size_t index = 0; index < part.legs.size(); ++index)
    text.line("next = takt::math::min(next, legs[" + count_of(index) + "].next_change(window_t + until, " +
              duty_call(view, index) + (is_of_time(view, view.network.legs[part.legs[index]].duty) ? ", true" : "") +
              "));");
  for (std::size_t index = 0; index < part.timed_gates.size(); ++index)
    text.line("next = takt::math::min(next, timed[" + count_of(index) + "].at);");
  text.line("return next - window_t;");
  text.close();
  text.blank();
  text.open("void " + view.type + "::apply_edges([[maybe_unused]] double t) noexcept");
  for (std::size_t index = 0; index < part.legs.size(); ++index) text.line("legs[" + count_of(index) + "].apply(t);");
  for (std::size_t index = 0; index < part.timed_gates.size(); ++index)
    text.line("timed[" + count_of(index) + "].apply(t);");
  text.close();
}

}  // namespace

void emit_switched(const ViewCode& plain, const ViewCode& factored, SubsystemFunctions& functions) {
  emit_solve(factored.view, factored.coefficients, functions);
  emit_points(factored.view, factored.coefficients, functions);
  emit_gate_levels(plain.view, plain.coefficients, functions);
  emit_duties(plain.view, plain.coefficients, functions);
  emit_start_gates(plain.view, plain.coefficients, functions);
  emit_command_gates(plain.view, plain.coefficients, functions);
  emit_edges_of_gates(plain.view, functions.text);
  emit_switched_events(plain, factored, functions);
}

void emit_factor(const SubsystemView& held, Coefficients& coefficients, const Coefficients& factors,
                 SubsystemFunctions& functions) {
  std::vector<Expr> roots = factors.expressions();
  const AffineRows* affine = held.plan.affine ? &*switched_circuit(held.surrogate.kind).affine : nullptr;
  if (affine != nullptr) {
    roots.insert(roots.end(), affine->offsets.begin(), affine->offsets.end());
    for (const std::vector<Expr>& row : affine->coefficients) roots.insert(roots.end(), row.begin(), row.end());
  }
  FunctionBody body = body_for(held, coefficients, roots);
  store_coefficients(factors, body.statements());
  for (std::size_t index = 0; index < functions.pairs.size(); ++index)
    body.statements().writer().line(at("f.pairs", index) + " = takt::TwoDoubles" + functions.pairs[index] + ";");
  if (affine != nullptr) {
    Statements& statements = body.statements();
    statements.writer().line("Map& map = maps[slot];");
    const auto set = [&](std::size_t row, std::size_t column, Expr e, const std::string& comment) {
      const std::string value = statements.value(e);
      statements.writer().line("map.set(" + count_of(row) + ", " + count_of(column) + ", " + value + ");" +
                               (comment.empty() ? "" : "  // " + comment));
    };
    for (std::size_t row = 0; row < affine->rows.size(); ++row) {
      for (std::size_t column = 0; column < affine->columns.size(); ++column)
        set(row, column, affine->coefficients[row][column], "");
      set(row, affine->columns.size(), affine->offsets[row], held.label(affine->rows[row]));
    }
  }
  write_function(functions, held, {"factor", "", ""},
                 {.statements = body.statements(), .alias = "[[maybe_unused]] auto& f = factors[slot];"});
}

void emit_hold_inputs(const SubsystemView& view, Coefficients& coefficients, const Coefficients& held,
                      SubsystemFunctions& functions) {
  std::vector<std::string> before{"bool changed = half_step != half;"};
  for (const SymbolId symbol : view.plan.inputs) {
    if (!view.held.contains(symbol)) continue;
    const std::string value = input_at(view, view.input.at(symbol)), target = at("held", view.input.at(symbol));
    before.push_back("changed |= " + target + " != " + value + ";");
    before.push_back(target + " = " + value + ";");
  }
  before.insert(before.end(), {"if (!changed) return false;", "half_step = half;", "scale = 1.0 / half;"});
  FunctionBody body = body_for(view, coefficients, held.expressions());
  store_coefficients(held, body.statements());
  write_function(functions, view, {"hold_inputs", "double half, [[maybe_unused]] double s", "half, s", "bool"},
                 {body.statements(), before, {"return true;"}});
}

void write_switched_members(Writer& text, const SubsystemView& view, const SubsystemFunctions& functions) {
  const SwitchedCircuit& part = switched_circuit(view.surrogate.kind);
  std::size_t before = 0;
  for (const std::uint32_t k : part.edges) before += view.network.edge_energies[k].before.size();
  bool follows_time = false;
  for (const std::uint32_t k : part.gates)
    follows_time = follows_time || view.graph().depends_on(view.network.gates[k].signal, view.network.time);
  const auto size = [&](const char* name, std::size_t n) {
    text.line("static constexpr std::size_t " + std::string(name) + " = " + count_of(n) + ";");
  };
  size("storage_count", part.histories.size());
  size("mode_count", part.modes.size());
  const NominalValues values(view.network);
  const ModeKinds kinds(view.network, values);
  size("fired_count", kinds.count(part.modes, ModeKind::fired));
  size("latched_count", kinds.count(part.modes, ModeKind::latched));
  size("point_count", part.points.size());
  size("gate_count", part.gates.size());
  size("edge_count", part.edges.size());
  size("loop_count", part.loops.size());
  size("cut_off_count", part.cut_off.size());
  size("join_count", part.joins.size());
  const std::size_t bits = part.modes.size() + part.gates.size();
  size("cache_size", bits < 6 ? std::size_t{1} << std::max<std::size_t>(bits, 2) : 64);
  text.line("static constexpr bool gates_follow_time = " + std::string(follows_time ? "true" : "false") + ";");
  text.line("static constexpr bool sampled_edges = " + std::string(view.plan.sampled_edges ? "true" : "false") + ";");
  text.line("/// Half the micro-step [s], and one over it.");
  text.line("double half_step = 0.0, scale = 0.0;");
  const auto array = [&](const char* type, const char* name, const std::string& count, const char* meaning) {
    if (count == "0") return;
    text.doc(meaning);
    text.line("std::array<" + std::string(type) + ", " + count + "> " + name + "{};");
  };
  text.line(
      "/// Where a segment ends: histories of the storages it was solved from and those of a whole step from it, "
      "rates, integrands, indicators (a mode flips where > 0).");
  text.open("struct Point");
  text.line("std::array<double, storage_count> w{}, v{};");
  text.line("std::array<double, state_count> r{};");
  text.line("std::array<double, quadrature_count> p{};");
  text.line("std::array<double, mode_count> e{};");
  text.close("};");
  text.line("std::array<Point, 2> point{};");
  text.line("/// The current one.");
  text.line("std::size_t now = 0;");
  if (!functions.factors.empty() || !functions.pairs.empty()) {
    write_coefficients(text, "Factors", functions.factors, functions.pairs.size());
    text.line("/// Factorisations by switch state, computed by factor(); keys are 0 where there is none.");
    text.line("std::array<Factors, cache_size> factors{};");
  }
  if (view.plan.affine) {
    text.line("/// Of what moves, in columns, to across variables, in rows:");
    for (std::size_t k = 0; k < part.affine->columns.size(); ++k)
      text.doc("  column [" + count_of(k) + "] " + view.label(part.affine->columns[k]));
    for (std::size_t k = 0; k < part.affine->rows.size(); ++k)
      text.doc("  row [" + count_of(k) + "] " + view.label(part.affine->rows[k]));
    text.line("using Map = takt::AffineMap<" + count_of(part.affine->rows.size()) + ", " +
              count_of(part.affine->columns.size()) + ">;");
    text.line("std::array<Map, cache_size> maps{};");
  }
  text.line("std::array<std::uint64_t, cache_size> keys{};");
  text.line("std::size_t slot = 0, evicted = 0;");
  if (!functions.held_coefficients.empty()) {
    write_coefficients(text, "HeldCoefficients", functions.held_coefficients);
    text.line("/// Coefficients of held inputs, computed by hold_inputs().");
    text.line("HeldCoefficients g{};");
  }
  const auto listed = [&](const auto& of, const char* name, const char* count, const char* meaning) {
    if (!of.empty()) array("double", name, count, meaning);
  };
  listed(part.histories, "extent", "storage_count", "Largest amount of what the storages hold so far.");
  if (!view.held.empty())
    array("double", "held", count_of(view.plan.inputs.size()), "Inputs that are held over a window.");
  listed(part.modes, "modes", "mode_count", "1: on.");
  listed(part.points, "points", "point_count", "Operating points of nonlinear elements.");
  listed(part.points, "tolerances", "point_count", "They are settled where they move less.");
  listed(part.gates, "gates", "gate_count", "1: on.");
  array("takt::PwmLeg", "legs", count_of(part.legs.size()), "Modulators.");
  array("takt::TimedGate", "timed", count_of(part.timed_gates.size()), "Gates with time stamps.");
  if (!part.edges.empty()) {
    array("double", "totals", "edge_count", "Energy lost at edges since start [J].");
    array("double", "before", count_of(before), "Values just before the last edge.");
    listed(part.modes, "modes_before", "mode_count", "Modes before it.");
    listed(part.gates, "gates_before", "gate_count", "Gates before it.");
  }
  array("double", "events", "takt::switched_event_count + loop_count + cut_off_count + 2 * latched_count",
        "Counted run-time events.");
  if (!part.loops.empty()) array("bool", "loop_closed", "loop_count", "Loops that gates have closed.");
  if (!part.cut_off.empty())
    array("bool", "current_cut", "cut_off_count", "Inductors whose current the last edge has cut off.");
  write_join_members(text, view);
  text.line("/// An edge since the last point; its energy is not yet counted.");
  text.line("bool restart = true, edge_pending = false;");
  text.line("/// A fast mode has not decayed yet.");
  text.line("bool damp = false;");
  text.blank();
  text.line("bool hold_inputs(double half, double s) noexcept;");
  text.line("void factor() noexcept;");
  text.line("bool solve(double t, double s, const double* w, double* dz, double* v, double* dq, double* e) noexcept;");
  if (!part.points.empty()) text.line("bool move_points(double t, double s, const double* w) noexcept;");
  text.line("void gate_levels(double t, double s, double* levels) noexcept;");
  for (std::size_t index = 0; index < part.legs.size(); ++index)
    text.line("double duty_" + count_of(index) + "(double t, double s) noexcept;");
  text.line("void start_gates(double t) noexcept;");
  text.line("void command_gates(double t) noexcept;");
  text.line("double next_edge(double window_t, double until) noexcept;");
  text.line("void apply_edges(double t) noexcept;");
  if (!part.loops.empty()) text.line("void watch_loops() noexcept;");
  if (!part.cut_off.empty())
    text.line("void watch_currents(double t, double s, const double* w, const double* r) noexcept;");
  if (part.edges.empty()) return;
  text.line("void observe_edge(double t, double s, const double* w, double* values) noexcept;");
  text.line("void lose_energy(double t, double s, const double* w) noexcept;");
}

}  // namespace takt::codegen
