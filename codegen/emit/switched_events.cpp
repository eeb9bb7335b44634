// What a switched circuit notices at edges: energies lost, loops closed, currents cut off.
#include <algorithm>

#include "codegen/emit/switched_bodies.hpp"
#include "codegen/topology/switch_rules.hpp"

namespace takt::codegen {
namespace {

std::string quadrature_of(const SubsystemView& view, const EdgeEnergy& edge) {
  if (edge.heat.empty()) return {};
  const auto sent = view.graph().find_symbol(edge.heat + ".sent");
  const auto place = sent ? std::find(view.plan.sent.begin(), view.plan.sent.end(), *sent) : view.plan.sent.end();
  return place == view.plan.sent.end() ? std::string()
                                       : at("q", static_cast<std::size_t>(place - view.plan.sent.begin()));
}

void emit_edge_energies(const SubsystemView& view, Coefficients& factors, SubsystemFunctions& functions) {
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
    before.statements().writer().line(at("values", index) + " = " + before.own(observed[index]) + ";");
  write_function(
      functions, view,
      {"observe_edge", time_parameters + history_parameter + ", [[maybe_unused]] double* values", "t, s, w, values"},
      {.statements = before.statements(), .alias = read_factors});

  FunctionBody body = body_between_factorisations(view, factors, roots);
  Statements& statements = body.statements();
  const std::size_t base = view.plan.sent.size() + view.plan.received.size();
  for (std::size_t index = 0; index < part.edges.size(); ++index) {
    const EdgeEnergy& edge = view.network.edge_energies[part.edges[index]];
    const std::string now = view.bound.at(edge.of);
    const std::string was = std::string(now.starts_with("gates") ? "gates_before" : "modes_before") + now.substr(5);
    statements.open_loop(
        view.graph().symbols_of(std::vector{edge.rise, edge.fall}));  // looked up only where there was an edge
    const std::string rise = statements.value(edge.rise), fall = statements.value(edge.fall);
    Writer& text = statements.writer();
    text.line("const double lost = " + now + " > " + was + " ? " + rise + " : " + fall + ";  // " +
              view.label(edge.total));
    text.line(at("totals", index) + " += lost;");
    // The circuit does not see this energy: it counts as supplied from outside and leaves as heat.
    text.line(at("q", base) + " += lost;");
    if (const std::string heat = quadrature_of(view, edge); !heat.empty()) text.line(heat + " += lost;");
    statements.close_loop("if (" + now + " != " + was + ")");
  }
  write_function(functions, view, {"lose_energy", time_parameters + history_parameter, "t, s, w"},
                 {.statements = body.statements(), .alias = read_factors});
}

/// events: those of every switched circuit, then loops, then inductors.
std::string event_of_loop(std::size_t index) {
  return "events[takt::switched_event_count + " + std::to_string(index) + "]";
}
std::string event_of_cut_off(const SwitchedCircuit& part, std::size_t index) {
  return event_of_loop(part.loops.size() + index);
}

/// Loops that gates close.
void emit_watch_loops(const SubsystemView& view, Coefficients& coefficients, SubsystemFunctions& functions) {
  const SwitchedCircuit& part = switched_circuit(view.surrogate.kind);
  if (part.loops.empty()) return;
  std::vector<Expr> roots;
  for (const SwitchLoop& loop : part.loops) roots.push_back(loop.closed);
  FunctionBody body = body_for(view, coefficients, roots);
  for (std::size_t index = 0; index < roots.size(); ++index) {
    const std::string closes = body.statements().condition(roots[index]);
    body.statements().writer().line(event_of_loop(index) + " += takt::rises(" + closes + ", " +
                                    at("loop_closed", index) + ");  // " + loop_text(view.network, part.loops[index]));
  }
  write_function(functions, view, {"watch_loops", "", ""}, {body.statements()});
}

/// Inductors whose current an edge cuts off. A voltage beyond what sources and capacitors can give takes more than a
/// tenth of the flux linkage within half a step.
void emit_watch_currents(const SubsystemView& view, Coefficients& factors, SubsystemFunctions& functions) {
  const SwitchedCircuit& part = switched_circuit(view.surrogate.kind);
  if (part.cut_off.empty()) return;
  FunctionBody body = body_between_factorisations(view, factors, {part.voltage_limit});
  Writer& text = body.statements().writer();
  const std::string limit = body.statements().local("voltage_limit", body.statements().value(part.voltage_limit), "V");
  for (std::size_t index = 0; index < part.cut_off.size(); ++index) {
    const Branch& branch = view.network.branches[static_cast<std::size_t>(part.cut_off[index].branch)];
    const std::string state = std::to_string(view.state.at(*branch.stored));
    text.line(event_of_cut_off(part, index) + " += takt::rises(takt::math::abs(r[" + state + "]) > " + limit +
              " && takt::math::abs(r[" + state + "]) * half_step > 0.1 * takt::math::abs(x[" + state + "]), " +
              at("current_cut", index) + ");  // " + cut_off_text(view.network, part.cut_off[index]));
  }
  write_function(
      functions, view,
      {"watch_currents", time_parameters + history_parameter + ", [[maybe_unused]] const double* r", "t, s, w, r"},
      {.statements = body.statements(), .alias = read_factors});
}

bool sends_join_heat(const SwitchedCircuit& part) {
  return std::any_of(part.join_heats.begin(), part.join_heats.end(), [](const auto& heats) { return !heats.empty(); });
}

/// Whether gates have joined capacitors since the last time.
void emit_watch_joins(const SubsystemView& view, Coefficients& coefficients, SubsystemFunctions& functions) {
  const SwitchedCircuit& part = switched_circuit(view.surrogate.kind);
  std::vector<Expr> roots;
  for (const SwitchLoop& loop : part.joins) roots.push_back(loop.closed);
  FunctionBody body = body_for(view, coefficients, roots);
  body.statements().writer().line("double joins = 0.0;");
  const bool heats = sends_join_heat(part);
  if (heats) body.statements().writer().line("if (!joining) rose = {};");
  for (std::size_t index = 0; index < roots.size(); ++index) {
    const std::string closes = body.statements().condition(roots[index]);
    const std::string rises = "takt::rises(" + closes + ", " + at("joined", index) + ")";
    const std::string remark = "  // " + path_list(view.network, part.joins[index].switches);
    if (heats) {
      body.statements().writer().line(at("rose", index) + " = takt::math::max(" + at("rose", index) + ", " + rises +
                                      ");" + remark);
      body.statements().writer().line("joins += " + at("rose", index) + ";");
    } else {
      body.statements().writer().line("joins += " + rises + ";" + remark);
    }
  }
  write_function(functions, view, {"watch_joins", "", "", "bool"}, {body.statements(), {}, {"return joins > 0.0;"}});
}

/// A sum over the capacitors: "lost += " + term(1/C, place of the charge) + ";".
FunctionBody sum_of_capacitors(const SubsystemView& view, Coefficients& coefficients,
                               std::string (*term)(const std::string& elastance, const std::string& charge)) {
  const SwitchedCircuit& part = switched_circuit(view.surrogate.kind);
  std::vector<Expr> roots;
  for (const auto& [charge, elastance] : part.elastances) roots.push_back(elastance);
  FunctionBody body = body_for(view, coefficients, roots);
  body.statements().writer().line("double lost = 0.0;");
  for (std::size_t index = 0; index < roots.size(); ++index) {
    const std::string value = body.statements().value(roots[index]);
    const std::string charge = "[" + std::to_string(view.state.at(part.elastances[index].first)) + "]";
    body.statements().writer().line("lost += " + term(value, charge) + ";");
  }
  return body;
}

/// Each loop that has closed takes what its capacitors lose, its switches by their on-resistances, which carry one
/// current. Not booked where it is not known whose it is: a capacitor of two such loops, or of none that takes its
/// charge as fast.
void emit_heat_of_joins(const SubsystemView& view, Coefficients& coefficients, SubsystemFunctions& functions) {
  const SwitchedCircuit& part = switched_circuit(view.surrogate.kind);
  std::vector<Expr> roots;
  for (const auto& [charge, elastance] : part.elastances) roots.push_back(elastance);
  FunctionBody body = body_for(view, coefficients, roots);
  Writer& text = body.statements().writer();
  std::vector<std::string> of_loop(part.joins.size()), unknown;
  text.line("double lost = 0.0;");
  for (std::size_t index = 0; index < roots.size(); ++index) {
    const SymbolId charge = part.elastances[index].first;
    const std::string state = "[" + std::to_string(view.state.at(charge)) + "]",
                      taken = "taken_" + std::to_string(index);
    text.line("const double " + taken + " = " + body.statements().value(roots[index]) + " * r" + state + " * r" +
              state + " * factor;");
    text.line("lost += " + taken + ";");
    std::string closed;
    for (std::size_t loop = 0; loop < part.joins.size(); ++loop) {
      const std::vector<BranchId>& own = part.joins[loop].supplies;
      if (std::none_of(own.begin(), own.end(), [&](BranchId id) {
            return view.network.branches[static_cast<std::size_t>(id)].stored == charge;
          }))
        continue;
      closed += (closed.empty() ? "" : " + ") + at("rose", loop);
      of_loop[loop] += (of_loop[loop].empty() ? "" : " + ") + taken;
    }
    unknown.push_back("if (takt::joins_beside(" + (closed.empty() ? "0.0" : closed) + ", " + taken + ", lost) && (" +
                      (closed.empty() ? "" : closed + " > 1.0 || ") + "takt::fades(r" + state + ", later" + state +
                      "))) return;");
  }
  std::vector<std::string> lines = unknown;
  lines.push_back(at("q", view.plan.sent.size() + view.plan.received.size() + 1) + " -= lost;");
  for (std::size_t loop = 0; loop < part.joins.size(); ++loop)
    for (const HeatShare& heat : part.join_heats[loop]) {
      const auto sent = std::find(view.plan.sent.begin(), view.plan.sent.end(), heat.sent);
      lines.push_back("if (" + at("rose", loop) + " > 0.0) " +
                      at("q", static_cast<std::size_t>(sent - view.plan.sent.begin())) + " += (" + of_loop[loop] +
                      ") * " + double_literal(heat.share) + ";  // " +
                      path_list(view.network, part.joins[loop].switches));
    }
  write_function(functions, view,
                 {"lose_joined", "const double* r, const double* later, double factor", "r, later, factor"},
                 {body.statements(), {}, lines});
}

void emit_loss_of_joins(const SubsystemView& view, Coefficients& coefficients, SubsystemFunctions& functions) {
  FunctionBody lose =
      sum_of_capacitors(view, coefficients, [](const std::string& elastance, const std::string& charge) {
        return elastance + " * r" + charge + " * r" + charge;
      });
  const std::size_t absorbed = view.plan.sent.size() + view.plan.received.size() + 1;
  write_function(functions, view, {"lose_joined", "const double* r, double factor", "r, factor"},
                 {lose.statements(), {}, {at("q", absorbed) + " -= lost * factor;"}});
}

/// What joining capacitors takes. A segment of backward Euler moves a charge r*length at the voltages that it would
/// have after h/2: it counts as absorbed r^2/C*length*(h/2 - length/2) too much. What gates join at the very start is
/// so when the first point is solved: the energy stored then is that of the start values.
void emit_joins(const SubsystemView& view, Coefficients& coefficients, SubsystemFunctions& functions) {
  if (switched_circuit(view.surrogate.kind).joins.empty()) return;
  emit_watch_joins(view, coefficients, functions);
  if (sends_join_heat(switched_circuit(view.surrogate.kind)))
    emit_heat_of_joins(view, coefficients, functions);
  else
    emit_loss_of_joins(view, coefficients, functions);
  FunctionBody start =
      sum_of_capacitors(view, coefficients, [](const std::string& elastance, const std::string& charge) {
        const std::string moved = "point[now].r" + charge + " * half_step";
        return "-" + elastance + " * " + moved + " * (x" + charge + " + 0.5 * " + moved + ")";
      });
  write_function(functions, view, {"join_at_start", "", ""},
                 {start.statements(),
                  {"joined = {};", "joining = watch_joins();", "if (!joining) return;"},
                  {"energy[3] += lost;"}});
}

}  // namespace

void write_join_members(Writer& text, const SubsystemView& view) {
  const SwitchedCircuit& part = switched_circuit(view.surrogate.kind);
  if (part.joins.empty()) return;
  text.doc("Capacitors that gates have joined.");
  text.line("std::array<bool, join_count> joined{};");
  text.line("/// They are being joined: the energy that this takes is booked.");
  text.line("bool joining = false;");
  std::string linkages;
  for (const SymbolId symbol : part.linkages)
    linkages += (linkages.empty() ? "" : ", ") + std::to_string(view.state.at(symbol));
  text.line("static constexpr std::array<std::size_t, " + std::to_string(part.linkages.size()) + "> linkages{" +
            linkages + "};");
  text.line("bool watch_joins() noexcept;");
  text.line("void join_at_start() noexcept;");
  if (sends_join_heat(part)) {
    text.line("std::array<double, join_count> rose{};");
    text.line("void lose_joined(const double* r, const double* later, double factor) noexcept;");
  } else {
    text.line("void lose_joined(const double* r, double factor) noexcept;");
  }
}

void emit_switched_events(const ViewCode& plain, const ViewCode& factored, SubsystemFunctions& functions) {
  emit_edge_energies(factored.view, factored.coefficients, functions);
  emit_watch_loops(plain.view, plain.coefficients, functions);
  emit_watch_currents(factored.view, factored.coefficients, functions);
  emit_joins(plain.view, plain.coefficients, functions);
}

}  // namespace takt::codegen
