#include "codegen/emit/switched_functions.hpp"

#include <algorithm>

#include "codegen/code/runtime_names.hpp"
#include "codegen/emit/function_body.hpp"
#include "codegen/emit/prepare_function.hpp"
#include "codegen/emit/switched_bodies.hpp"
#include "codegen/emit/whole_steps.hpp"
#include "codegen/topology/mode_kinds.hpp"
#include "codegen/topology/switch_rules.hpp"

namespace takt::codegen {
namespace {

std::string count_of(std::size_t n) { return std::to_string(n); }

/// w[3] + 2.0 * half_step * dz[3]
code::Value next_history(std::size_t index, code::Values& values) {
  const code::Value whole =
      values.operation(code::Form::product, values.number(2.0), values.variable("half_step"));
  return values.operation(
      code::Form::sum, values.element("w", index),
      values.operation(code::Form::product, whole, values.element("dz", index)));
}

/// takt::largest<mode_count>(e) > 0.0
code::Value any_flips(const SwitchedCircuit& part, code::Values& values) {
  if (part.modes.empty()) return values.variable("false");
  const code::Value largest =
      values.call(std::string(runtime::largest) + "<mode_count>", {values.variable("e")});
  return values.operation(code::Form::greater, largest, values.number(0.0));
}

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
    body.assign("dz", index, surrogate.states[index].derivative,
                "d/dt " + view.graph().symbol(surrogate.states[index].symbol).path);
  for (std::size_t index = 0; index < switched_circuit(surrogate.kind).histories.size(); ++index)
    body.store("v", index, next_history(index, body.values()), "history of a next whole step");
  write_quadratures(view, body);
  for (std::size_t index = 0; index < switched_circuit(surrogate.kind).modes.size(); ++index) {
    const std::string mode =
        view.graph()
            .symbol(view.network.modes[switched_circuit(surrogate.kind).modes[index]].symbol)
            .path;
    body.assign("e", index, switched_circuit(surrogate.kind).indicators[index],
                mode + " flips where > 0");
  }
  const Arguments results{
      history_parameter, {"double*", "dz"}, {"double*", "v"}, {"double*", "dq"}, {"double*", "e"}};
  const FunctionHead head{"solve", time_and(results), "bool"};
  if (!body.statements().is_spread() && emit_paired(view, head, body.statements(), functions))
    return;
  body.statements().last().give(any_flips(switched_circuit(surrogate.kind), body.values()));
  write_function(
      functions, view, head,
      {.statements = body.statements(), .alias = factors_as(read_factors, body.values())});
}

void emit_points(const SubsystemView& view, Coefficients& factors, SubsystemFunctions& functions) {
  std::vector<Expr> roots;
  for (const std::uint32_t k : switched_circuit(view.surrogate.kind).points)
    roots.push_back(view.network.points[k].next);
  if (roots.empty()) return;
  FunctionBody body = body_between_factorisations(view, factors, roots);
  code::Values& values = body.values();
  const code::Value moved = values.variable("moved");
  code::Block moves;
  for (std::size_t index = 0; index < roots.size(); ++index) {
    const code::Value next = body.statements().local("next_" + count_of(index),
                                                     body.statements().value(roots[index]), "");
    const code::Value point = values.element("points", index);
    const code::Value by =
        values.call(runtime::abs, {values.operation(code::Form::difference, next, point)});
    moves.change(moved, code::Change::join,
                 values.operation(code::Form::greater, by, values.element("tolerances", index)));
    moves.assign(point, next);
  }
  body.block().add(
      code::Definition{values.name("bool"), moved, values.variable("false"), {}, false});
  body.block().take(std::move(moves));
  body.statements().last().give(moved);
  write_function(
      functions, view, {"move_points", time_and({history_parameter}), "bool"},
      {.statements = body.statements(), .alias = factors_as(read_factors, body.values())});
}

}  // namespace

void emit_switched(const ViewCode& plain, const ViewCode& factored, SubsystemFunctions& functions) {
  emit_solve(factored.view, factored.coefficients, functions);
  emit_points(factored.view, factored.coefficients, functions);
  emit_gates(plain.view, plain.coefficients, functions);
  emit_switched_events(plain, factored, functions);
}

namespace {

void store_pairs(const std::vector<std::array<code::Place, 2>>& pairs, FunctionBody& body) {
  code::Values& values = body.values();
  for (std::size_t index = 0; index < pairs.size(); ++index)
    body.block().assign(values.element(values.member("f", "pairs"), index),
                        values.list({values.place(pairs[index][0]), values.place(pairs[index][1])},
                                    runtime::two_doubles));
}

/// Entries of the affine map of this state of the switches.
void set_map(const SubsystemView& held, const AffineRows& affine, Statements& statements) {
  code::Values& values = statements.values();
  const code::Value map = values.variable("map");
  statements.block().add(
      code::Definition{values.name("Map&"),
                       map,
                       values.element_at(values.variable("maps"), values.variable("slot")),
                       {},
                       false});
  const auto set = [&](std::size_t row, std::size_t column, Expr e, const std::string& comment) {
    const code::Value value = statements.value(e);
    statements.block().act(values.call(values.member(map, runtime::map_set),
                                       {values.integer(row), values.integer(column), value}),
                           statements.note(comment));
  };
  for (std::size_t row = 0; row < affine.rows.size(); ++row) {
    for (std::size_t column = 0; column < affine.columns.size(); ++column)
      set(row, column, affine.coefficients[row][column], "");
    set(row, affine.columns.size(), affine.offsets[row], held.label(affine.rows[row]));
  }
}

}  // namespace

void emit_factor(const SubsystemView& held, Coefficients& coefficients, const Coefficients& factors,
                 SubsystemFunctions& functions) {
  std::vector<Expr> roots = factors.expressions();
  const AffineRows* affine =
      held.plan.affine ? &*switched_circuit(held.surrogate.kind).affine : nullptr;
  if (affine != nullptr) {
    roots.insert(roots.end(), affine->offsets.begin(), affine->offsets.end());
    for (const std::vector<Expr>& row : affine->coefficients)
      roots.insert(roots.end(), row.begin(), row.end());
  }
  FunctionBody body = body_for(held, coefficients, roots);
  store_coefficients(factors, body.statements());
  store_pairs(functions.pairs, body);
  if (affine != nullptr) set_map(held, *affine, body.statements());
  write_function(
      functions, held, {"factor", {}},
      {.statements = body.statements(), .alias = factors_as(written_factors, body.values())});
}

/// Nothing is computed where neither the step nor an input has changed.
static code::Block hold_what_moved(const SubsystemView& view, code::Values& values) {
  code::Block block;
  const code::Value changed = values.variable("changed"), half = values.variable("half"),
                    half_step = values.variable("half_step");
  block.add(code::Definition{values.name("bool"),
                             changed,
                             values.operation(code::Form::unequal, half_step, half),
                             {},
                             false});
  for (const SymbolId symbol : view.plan.inputs) {
    if (!view.held.contains(symbol)) continue;
    const std::size_t input = view.input.at(symbol);
    const code::Value held = values.element("held", input), now = input_at(view, input, values);
    block.change(changed, code::Change::join, values.operation(code::Form::unequal, held, now));
    block.assign(held, now);
  }
  block.when(values.operation(code::Form::negation, changed),
             code::Leave{true, values.variable("false")});
  block.assign(half_step, half);
  block.assign(values.variable("scale"),
               values.operation(code::Form::quotient, values.number(1.0), half));
  return block;
}

void emit_hold_inputs(const SubsystemView& view, Coefficients& coefficients,
                      const Coefficients& held, SubsystemFunctions& functions) {
  FunctionBody body = body_for(view, coefficients, held.expressions());
  store_coefficients(held, body.statements());
  body.statements().last().give(body.values().variable("true"));
  write_function(functions, view, {"hold_inputs", {{"double", "half"}, {"double", "s"}}, "bool"},
                 {body.statements(), hold_what_moved(view, body.values())});
}

void write_switched_members(Writer& text, const SubsystemView& view,
                            const SubsystemFunctions& functions) {
  const SwitchedCircuit& part = switched_circuit(view.surrogate.kind);
  std::size_t before = 0;
  for (const std::uint32_t k : part.edges) before += view.network.edge_energies[k].before.size();
  bool follows_time = false;
  for (const std::uint32_t k : part.gates)
    follows_time =
        follows_time || view.graph().depends_on(view.network.gates[k].signal, view.network.time);
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
  text.line("static constexpr bool gates_follow_time = " +
            std::string(follows_time ? "true" : "false") + ";");
  text.line("static constexpr bool sampled_edges = " +
            std::string(view.plan.sampled_edges ? "true" : "false") + ";");
  text.line("/// Half the micro-step [s], and one over it.");
  text.line("double half_step = 0.0, scale = 0.0;");
  const auto array = [&](const char* type, const char* name, const std::string& count,
                         const char* meaning) {
    if (count == "0") return;
    text.doc(meaning);
    text.line("std::array<" + std::string(type) + ", " + count + "> " + name + "{};");
  };
  text.line(
      "/// Where a segment ends: histories of the storages it was solved from and those of a whole "
      "step from it, rates, integrands, indicators (a mode flips where > 0).");
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
    text.line(
        "/// Factorisations by switch state, computed by factor(); keys are 0 where there is "
        "none.");
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
  const auto listed = [&](const auto& of, const char* name, const char* count,
                          const char* meaning) {
    if (!of.empty()) array("double", name, count, meaning);
  };
  listed(part.histories, "extent", "storage_count",
         "Largest amount of what the storages hold so far.");
  if (!view.held.empty())
    array("double", "held", count_of(view.plan.inputs.size()),
          "Inputs that are held over a window.");
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
  array("double", "events",
        "takt::switched_event_count + loop_count + cut_off_count + 2 * latched_count",
        "Counted run-time events.");
  if (!part.loops.empty())
    array("bool", "loop_closed", "loop_count", "Loops that gates have closed.");
  if (!part.cut_off.empty())
    array("bool", "current_cut", "cut_off_count",
          "Inductors whose current the last edge has cut off.");
  write_join_members(text, view);
  text.line("/// An edge since the last point; its energy is not yet counted.");
  text.line("bool restart = true, edge_pending = false;");
  text.line("/// A fast mode has not decayed yet.");
  text.line("bool damp = false;");
  text.blank();
  text.line("bool hold_inputs(double half, double s) noexcept;");
  text.line("void factor() noexcept;");
  text.line(
      "bool solve(double t, double s, const double* w, double* dz, double* v, double* dq, double* "
      "e) noexcept;");
  if (!part.points.empty())
    text.line("bool move_points(double t, double s, const double* w) noexcept;");
  text.line("void gate_levels(double t, double s, double* levels) noexcept;");
  for (std::size_t index = 0; index < part.legs.size(); ++index)
    text.line("double duty_" + count_of(index) + "(double t, double s) noexcept;");
  text.line("void start_gates(double t) noexcept;");
  text.line("void command_gates(double t) noexcept;");
  text.line("double next_edge(double window_t, double until) noexcept;");
  text.line("void apply_edges(double t) noexcept;");
  if (!part.loops.empty()) text.line("void watch_loops() noexcept;");
  if (!part.cut_off.empty())
    text.line(
        "void watch_currents(double t, double s, const double* w, const double* r) noexcept;");
  if (part.edges.empty()) return;
  text.line("void observe_edge(double t, double s, const double* w, double* values) noexcept;");
  text.line("void lose_energy(double t, double s, const double* w) noexcept;");
}

}  // namespace takt::codegen
