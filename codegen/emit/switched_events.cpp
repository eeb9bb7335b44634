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

/// Where a condition has become true since the last time.
struct Rise {
  code::Value counter, condition, was;
  std::string comment;
};

void count_rise(const Rise& rise, FunctionBody& body) {
  body.block().change(rise.counter, code::Change::add,
                      body.values().call(runtime::rises, {rise.condition, rise.was}),
                      body.statements().note(rise.comment));
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

bool sends_join_heat(const SwitchedCircuit& part) {
  return std::any_of(part.join_heats.begin(), part.join_heats.end(),
                     [](const auto& heats) { return !heats.empty(); });
}

/// Has it become true while they are being joined?
void keep_rise(const Rise& rise, code::Value joins, FunctionBody& body) {
  code::Values& values = body.values();
  const code::Value rises = values.call(runtime::rises, {rise.condition, rise.was});
  body.block().assign(rise.counter, values.call(runtime::max, {rise.counter, rises}),
                      body.statements().note(rise.comment));
  body.block().change(joins, code::Change::add, rise.counter);
}

/// Whether gates have joined capacitors since the last time.
void emit_watch_joins(const SubsystemView& view, Coefficients& coefficients,
                      SubsystemFunctions& functions) {
  const SwitchedCircuit& part = switched_circuit(view.surrogate.kind);
  std::vector<Expr> roots;
  for (const SwitchLoop& loop : part.joins) roots.push_back(loop.closed);
  FunctionBody body = body_for(view, coefficients, roots);
  code::Values& values = body.values();
  const code::Value joins = values.variable("joins");
  body.block().add(code::Definition{values.name("double"), joins, values.number(0.0), {}, false});
  const bool heats = sends_join_heat(part);
  if (heats) {
    const code::Value begins = values.operation(code::Form::negation, values.variable("joining"));
    body.block().when(begins, code::Assignment{values.variable("rose"),
                                               values.list(std::initializer_list<code::Value>{})});
  }
  for (std::size_t index = 0; index < roots.size(); ++index) {
    const code::Value closes = body.statements().condition(roots[index]),
                      was = values.element("joined", index);
    const std::string path = path_list(view.network, part.joins[index].switches);
    if (heats)
      keep_rise({values.element("rose", index), closes, was, path}, joins, body);
    else
      count_rise({joins, closes, was, path}, body);
  }
  body.statements().last().give(values.operation(code::Form::greater, joins, values.number(0.0)));
  write_function(functions, view, {"watch_joins", {}, "bool"}, {body.statements()});
}

/// What of the energy of a capacitor is lost, from 1/C and the place of its charge.
using LostBy = code::Value (*)(code::Values& values, code::Value elastance, std::size_t charge);

/// A sum over the capacitors.
FunctionBody sum_of_capacitors(const SubsystemView& view, Coefficients& coefficients,
                               LostBy lost_by) {
  const SwitchedCircuit& part = switched_circuit(view.surrogate.kind);
  std::vector<Expr> roots;
  for (const auto& [charge, elastance] : part.elastances) roots.push_back(elastance);
  FunctionBody body = body_for(view, coefficients, roots);
  code::Values& values = body.values();
  const code::Value lost = values.variable("lost");
  body.block().add(code::Definition{values.name("double"), lost, values.number(0.0), {}, false});
  for (std::size_t index = 0; index < roots.size(); ++index) {
    const code::Value elastance = body.statements().value(roots[index]);
    const std::size_t charge = view.state.at(part.elastances[index].first);
    body.block().change(lost, code::Change::add, lost_by(values, elastance, charge));
  }
  return body;
}

code::Value product(code::Values& values, code::Value left, code::Value right) {
  return values.operation(code::Form::product, left, right);
}

/// Each loop that has closed takes what its capacitors lose, its switches by their on-resistances,
/// which carry one current. Not booked where it is not known whose it is: a capacitor of two such
/// loops, or of none that takes its charge as fast.
class HeatOfJoins {
 public:
  HeatOfJoins(const SubsystemView& view, FunctionBody& body)
      : view_(view),
        part_(switched_circuit(view.surrogate.kind)),
        body_(body),
        v_(body.values()),
        lost_(v_.variable("lost")),
        of_loop_(part_.joins.size(), code::Value::none) {}

  void write(const std::vector<Expr>& elastances) {
    body_.block().add(code::Definition{v_.name("double"), lost_, v_.number(0.0), {}, false});
    for (std::size_t index = 0; index < elastances.size(); ++index) {
      const code::Value taken = take(index, elastances[index]);
      leave_where_unknown(part_.elastances[index].first, taken);
    }
    last().change(v_.element("q", view_.plan.sent.size() + view_.plan.received.size() + 1),
                  code::Change::subtract, lost_);
    for (std::size_t loop = 0; loop < part_.joins.size(); ++loop)
      for (const HeatShare& heat : part_.join_heats[loop]) warm(loop, heat);
  }

 private:
  [[nodiscard]] code::Block& last() { return body_.statements().last(); }
  code::Value rose(std::size_t loop) { return v_.element("rose", loop); }
  /// left + right; left may be none yet.
  code::Value sum(code::Value left, code::Value right) {
    return left == code::Value::none ? right : v_.operation(code::Form::sum, left, right);
  }

  code::Value take(std::size_t index, Expr elastance) {
    const code::Value r = v_.element("r", view_.state.at(part_.elastances[index].first));
    const code::Value taken = v_.variable("taken_" + std::to_string(index));
    code::Value energy = product(v_, product(v_, body_.statements().value(elastance), r), r);
    energy = product(v_, energy, v_.variable("factor"));
    body_.block().add(code::Definition{v_.name("double"), taken, energy});
    body_.block().change(lost_, code::Change::add, taken);
    return taken;
  }

  /// A capacitor of just one loop that has closed counts to that loop's heat.
  void leave_where_unknown(SymbolId charge, code::Value taken) {
    code::Value closed{};
    for (std::size_t loop = 0; loop < part_.joins.size(); ++loop) {
      const std::vector<BranchId>& own = part_.joins[loop].supplies;
      if (std::none_of(own.begin(), own.end(), [&](BranchId id) {
            return view_.network.branches[static_cast<std::size_t>(id)].stored == charge;
          }))
        continue;
      closed = sum(closed, rose(loop));
      of_loop_[loop] = sum(of_loop_[loop], taken);
    }
    const bool in_none = closed == code::Value::none;
    const std::size_t state = view_.state.at(charge);
    const code::Value fades =
        v_.call(runtime::fades, {v_.element("r", state), v_.element("later", state)});
    const code::Value beside =
        v_.call(runtime::joins_beside, {in_none ? v_.number(0.0) : closed, taken, lost_});
    const code::Value whose = in_none ? v_.operation(code::Form::bracketed, fades)
                                      : v_.operation(code::Form::either, above(closed, 1.0), fades);
    last().when(v_.operation(code::Form::both, beside, whose), code::Leave{true, {}});
  }

  void warm(std::size_t loop, const HeatShare& heat) {
    const auto sent = std::find(view_.plan.sent.begin(), view_.plan.sent.end(), heat.sent);
    const code::Value lost = v_.operation(code::Form::bracketed, of_loop_[loop]);
    const code::Value to =
        v_.element("q", static_cast<std::size_t>(sent - view_.plan.sent.begin()));
    last().when(above(rose(loop), 0.0),
                code::Assignment{
                    to, product(v_, lost, v_.number(heat.share)),
                    body_.statements().note(path_list(view_.network, part_.joins[loop].switches)),
                    code::Change::add});
  }
  code::Value above(code::Value value, double bound) {
    return v_.operation(code::Form::greater, value, v_.number(bound));
  }

  const SubsystemView& view_;
  const SwitchedCircuit& part_;
  FunctionBody& body_;
  code::Values& v_;
  code::Value lost_;
  std::vector<code::Value> of_loop_;  ///< what its capacitors take
};

void emit_heat_of_joins(const SubsystemView& view, Coefficients& coefficients,
                        SubsystemFunctions& functions) {
  std::vector<Expr> elastances;
  for (const auto& [charge, elastance] : switched_circuit(view.surrogate.kind).elastances)
    elastances.push_back(elastance);
  FunctionBody body = body_for(view, coefficients, elastances);
  HeatOfJoins(view, body).write(elastances);
  write_function(
      functions, view,
      {"lose_joined", {{"const double*", "r"}, {"const double*", "later"}, {"double", "factor"}}},
      {body.statements()});
}

void emit_loss_of_joins(const SubsystemView& view, Coefficients& coefficients,
                        SubsystemFunctions& functions) {
  FunctionBody lose = sum_of_capacitors(
      view, coefficients, [](code::Values& values, code::Value elastance, std::size_t charge) {
        const code::Value r = values.element("r", charge);
        return product(values, product(values, elastance, r), r);
      });
  code::Values& of_lose = lose.values();
  const std::size_t absorbed = view.plan.sent.size() + view.plan.received.size() + 1;
  lose.statements().last().change(
      of_lose.element("q", absorbed), code::Change::subtract,
      product(of_lose, of_lose.variable("lost"), of_lose.variable("factor")));
  write_function(functions, view, {"lose_joined", {{"const double*", "r"}, {"double", "factor"}}},
                 {lose.statements()});
}

/// What joining capacitors takes. A segment of backward Euler moves a charge r*length at the
/// voltages that it would have after h/2: it counts as absorbed r^2/C*length*(h/2 - length/2) too
/// much. What gates join at the very start is so when the first point is solved: the energy stored
/// then is that of the start values.
void emit_joins(const SubsystemView& view, Coefficients& coefficients,
                SubsystemFunctions& functions) {
  if (switched_circuit(view.surrogate.kind).joins.empty()) return;
  emit_watch_joins(view, coefficients, functions);
  if (sends_join_heat(switched_circuit(view.surrogate.kind)))
    emit_heat_of_joins(view, coefficients, functions);
  else
    emit_loss_of_joins(view, coefficients, functions);
  FunctionBody start = sum_of_capacitors(
      view, coefficients, [](code::Values& values, code::Value elastance, std::size_t charge) {
        const code::Value point =
            values.element_at(values.variable("point"), values.variable("now"));
        const code::Value rate = values.element(values.member(point, "r"), charge),
                          half = values.variable("half_step");
        const code::Value moved = product(values, product(values, values.number(0.5), rate), half);
        const code::Value middle =
            values.operation(code::Form::sum, values.element("x", charge), moved);
        const code::Value spent =
            product(values, product(values, values.negated(elastance), rate), half);
        return product(values, spent, middle);
      });
  start.statements().last().change(start.values().element("energy", 3), code::Change::add,
                                   start.values().variable("lost"));
  code::Values& values = start.values();
  const code::Value joining = values.variable("joining");
  code::Block before;
  before.assign(values.variable("joined"), values.list(std::initializer_list<code::Value>{}));
  before.assign(joining, values.call("watch_joins", {}));
  before.when(values.operation(code::Form::negation, joining), code::Leave{true, {}});
  write_function(functions, view, {"join_at_start", {}}, {start.statements(), std::move(before)});
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
  text.line("static constexpr std::array<std::size_t, " + std::to_string(part.linkages.size()) +
            "> linkages{" + linkages + "};");
  text.line("bool watch_joins() noexcept;");
  text.line("void join_at_start() noexcept;");
  if (sends_join_heat(part)) {
    text.line("std::array<double, join_count> rose{};");
    text.line("void lose_joined(const double* r, const double* later, double factor) noexcept;");
  } else {
    text.line("void lose_joined(const double* r, double factor) noexcept;");
  }
}

void emit_switched_events(const ViewCode& plain, const ViewCode& factored,
                          SubsystemFunctions& functions) {
  emit_edge_energies(factored.view, factored.coefficients, functions);
  emit_watch_loops(plain.view, plain.coefficients, functions);
  emit_watch_currents(factored.view, factored.coefficients, functions);
  emit_joins(plain.view, plain.coefficients, functions);
}

}  // namespace takt::codegen
