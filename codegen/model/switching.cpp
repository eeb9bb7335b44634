// What switches: gates, modes, linearisation points and energies at edges of elements; PWM legs and
// timed gates.

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <unordered_set>

#include "codegen/model/laws.hpp"
#include "codegen/model/values.hpp"

namespace takt::codegen {
namespace {

SymbolId symbol_of(const Workspace& work, const Instance& instance, std::string_view name) {
  return static_cast<SymbolId>(
      work.network.graph().node(instance.variables.find(name)->second.value).payload);
}

class SwitchingLowering {
 public:
  SwitchingLowering(Workspace& work, Instance& instance, InstanceNames& names)
      : work_(work), instance_(instance), definition_(*instance.definition), names_(names) {}

  void run() {
    for (const ParameterDefinition& parameter : definition_.parameters) {
      if (parameter.kind == ParameterDefinition::Kind::gate) lower_gate(parameter.name);
    }
    if (!definition_.has_event_modes())
      for (const ModeDefinition& mode : definition_.modes) lower_mode(mode);
    for (const PointDefinition& point : definition_.points) lower_point(point);
    for (const EdgeDefinition& edge : definition_.edges) lower_edge(edge);
  }

 private:
  void lower_gate(const std::string& name) {
    const Slot& slot = *instance_.parameters.find(name)->second;
    if (slot.state != Slot::State::done) return;
    work_.network.gates.push_back(
        {instance_.element, symbol_of(work_, instance_, name), slot.value, slot.where});
    work_.signal_uses.push_back(
        {slot.value, slot.where, "'" + name + "' of '" + instance_.path + "'", true});
  }

  void lower_mode(const ModeDefinition& definition) {
    Mode mode;
    mode.element = instance_.element;
    mode.symbol = symbol_of(work_, instance_, definition.name);
    mode.turn_on = value(definition.on, "", {});
    mode.turn_off = value(definition.off, "", {});
    mode.start = names_.lower_start(definition.start).value_or(work_.network.graph().zero());
    mode.where = instance_.entry->where;
    work_.network.modes.push_back(mode);
  }

  void lower_point(const PointDefinition& definition) {
    const std::string what = " of point '" + definition.name + "'";
    OperatingPoint point;
    point.element = instance_.element;
    point.symbol = symbol_of(work_, instance_, definition.name);
    point.next = value(definition.next, definition.unit_text, "the next value" + what);
    point.tolerance = value(definition.tolerance, definition.unit_text, "the tolerance" + what);
    point.start = names_.lower_start(definition.start).value_or(work_.network.graph().zero());
    point.where = instance_.entry->where;
    work_.network.points.push_back(point);
  }

  void lower_edge(const EdgeDefinition& definition) {
    Graph& graph = work_.network.graph();
    EdgeEnergy edge;
    edge.element = instance_.element;
    edge.total = symbol_of(work_, instance_, definition.name);
    edge.of = symbol_of(work_, instance_, definition.of);
    if (instance_.heat_branch)
      edge.heat = work_.network.branches[static_cast<std::size_t>(*instance_.heat_branch)].path;
    edge.where = instance_.entry->where;
    const std::string path = instance_.path + "." + definition.name;
    const auto energy = [&](const SourceExpression& expression) {
      const auto lowered = names_.lower_edge(expression, path, edge.before);
      if (!lowered) return graph.zero();
      names_.expect(*lowered, "J", expression, "the energy '" + definition.name + "'");
      return lowered->value;
    };
    edge.rise = energy(definition.rise);
    edge.fall = energy(definition.fall);
    if (graph.is_constant(edge.rise, 0.0) && graph.is_constant(edge.fall, 0.0)) {
      // Loss tables left at their default: nothing to compute at edges.
      work_.network.variables.push_back({instance_.element, edge.total, graph.zero(), edge.where});
      return;
    }
    // A table left at its default takes its argument out of the expression.
    std::erase_if(edge.before, [&](const auto& before) {
      return !graph.depends_on(edge.rise, before.symbol) &&
             !graph.depends_on(edge.fall, before.symbol);
    });
    work_.network.edge_energies.push_back(std::move(edge));
  }

  [[nodiscard]] Expr value(const SourceExpression& expression, std::string_view unit,
                           const std::string& what) {
    const auto lowered = names_.lower(expression);
    if (!lowered) return work_.network.graph().zero();
    names_.expect(*lowered, unit, expression, what);
    return lowered->value;
  }

  Workspace& work_;
  Instance& instance_;
  const ElementDefinition& definition_;
  InstanceNames& names_;
};

class GateBlockLowering {
 public:
  GateBlockLowering(Workspace& work, Instance& instance) : work_(work), instance_(instance) {}

  void run() {
    for (auto& [name, slot] : instance_.parameters) resolve(work_, *slot);
    if (const TomlEntry* every = instance_.entry->value.find("every")) {
      work_.warning("M035", every->where, "'every' has no effect on '" + instance_.path + "'",
                    "its edges are located in time, it is not sampled");
    }
    const bool leg = instance_.definition->gate_block == GateBlock::pwm_leg;
    // A definition that lacks some of them is refused (L014).
    if (leg && has({"duty", "frequency", "phase", "dead_time", "carrier", "update"})) lower_leg();
    if (!leg && has({"level", "delay"})) lower_timed_gate();
  }

 private:
  [[nodiscard]] bool has(std::initializer_list<std::string_view> names) const {
    return std::all_of(names.begin(), names.end(),
                       [&](std::string_view name) { return instance_.parameters.contains(name); });
  }
  [[nodiscard]] const Slot& slot(std::string_view name) const {
    return *instance_.parameters.find(name)->second;
  }
  [[nodiscard]] SymbolId output(std::string_view name) const {
    return instance_.let_symbols.find(name)->second;
  }

  void lower_leg() {
    PwmLeg leg;
    leg.path = instance_.path;
    leg.high = output("high");
    leg.low = output("low");
    leg.where = instance_.entry->where;
    leg.duty = signal("duty");
    leg.frequency = constant("frequency");
    leg.phase = constant("phase");
    leg.dead_time = constant("dead_time");
    leg.carrier = slot("carrier").text == "sawtooth" ? Carrier::sawtooth : Carrier::triangle;
    const std::string& update = slot("update").text;
    leg.update = update == "continuous" ? DutyUpdate::continuous
                 : update == "valley"   ? DutyUpdate::valley
                 : update == "peak"     ? DutyUpdate::peak
                                        : DutyUpdate::both;
    check_dead_time(leg);
    work_.network.legs.push_back(std::move(leg));
  }

  /// At half duty each switch has half a period: a dead time as long leaves both off for ever.
  void check_dead_time(const PwmLeg& leg) {
    if (slot("frequency").state != Slot::State::done ||
        slot("dead_time").state != Slot::State::done)
      return;
    const auto frequency = parameter_value(work_, leg.frequency),
               dead_time = parameter_value(work_, leg.dead_time);
    if (!frequency || !dead_time || 2.0 * *dead_time * *frequency < 1.0) return;
    work_.error("U006", slot("dead_time").where,
                "the dead time of '" + instance_.path + "' is not shorter than half a period",
                "both switches would stay off; shorten it or lower the frequency");
  }

  void lower_timed_gate() {
    TimedGate gate;
    gate.path = instance_.path;
    gate.symbol = output("out");
    gate.level = signal("level");
    gate.delay = signal("delay");
    gate.where = instance_.entry->where;
    work_.network.timed_gates.push_back(std::move(gate));
  }

  [[nodiscard]] Expr signal(std::string_view name) {
    const Slot& given = slot(name);
    if (given.state != Slot::State::done) return work_.network.graph().zero();
    work_.signal_uses.push_back(
        {given.value, given.where, "'" + given.name + "' of '" + instance_.path + "'", false});
    return given.value;
  }

  [[nodiscard]] Expr constant(std::string_view name) {
    const Slot& given = slot(name);
    if (given.state != Slot::State::done) return work_.network.graph().zero();
    if (!work_.is_refused(given.value) && !parameter_value(work_, given.value)) {
      work_.error("M030", given.where,
                  "'" + given.name + "' of '" + instance_.path + "' depends on time or signals",
                  "use numbers and parameters");
    }
    return given.value;
  }

  Workspace& work_;
  Instance& instance_;
};

using Symbols = std::unordered_set<SymbolId>;

/// What is known before a circuit is computed.
Symbols known_signals(const Network& network) {
  Symbols known{network.time};
  for (const Parameter& parameter : network.parameters) known.insert(parameter.symbol);
  for (const PlantInput& input : network.inputs) known.insert(input.symbol);
  for (const ControlBlock& block : network.blocks) {
    for (const auto& output : block.outputs) known.insert(output.symbol);
    for (const auto& state : block.states) known.insert(state.symbol);
  }
  return known;
}

/// Also of blocks that were refused.
Symbols leg_outputs(const Workspace& work) {
  Symbols outputs;
  for (const Instance& instance : work.instances) {
    if (instance.definition->gate_block == GateBlock::none) continue;
    for (const auto& [name, symbol] : instance.let_symbols) outputs.insert(symbol);
  }
  return outputs;
}

}  // namespace

void lower_switching(Workspace& work, Instance& instance, InstanceNames& names) {
  SwitchingLowering(work, instance, names).run();
}

void lower_gate_block(Workspace& work, Instance& instance) {
  GateBlockLowering(work, instance).run();
}

void check_gate_signals(Workspace& work) {
  const Network& network = work.network;
  const Symbols known = known_signals(network), outputs = leg_outputs(work);
  Symbols gates, taken;
  for (const Gate& gate : network.gates) gates.insert(gate.symbol);
  for (const SignalUse& use : work.signal_uses) {
    if (work.is_refused(use.value)) continue;
    for (const SymbolId symbol : network.graph().symbols_of(use.value)) {
      if (use.may_take_legs) taken.insert(symbol);
      if (known.contains(symbol) || (use.may_take_legs && outputs.contains(symbol))) continue;
      const std::string hint = outputs.contains(symbol)
                                   ? "a leg or timed gate follows control outputs, inputs and time"
                               : gates.contains(symbol) ? "name the signal of that gate"
                                                        : "let a control block sample it";
      work.error("M036", use.where,
                 use.what + " reads '" + network.graph().symbol(symbol).path + "'", hint);
    }
  }
  if (work.diagnostics.has_errors()) return;  // the gate that would take it may be the wrong one
  for (const PwmLeg& leg : network.legs) {
    if (!taken.contains(leg.high) && !taken.contains(leg.low))
      work.warning("M035", leg.where, "no gate takes an output of '" + leg.path + "'");
  }
  for (const TimedGate& gate : network.timed_gates) {
    if (!taken.contains(gate.symbol))
      work.warning("M035", gate.where, "no gate takes the output of '" + gate.path + "'");
  }
}

}  // namespace takt::codegen
