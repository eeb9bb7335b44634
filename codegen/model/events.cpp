// Events of elements, and modes that events change.

#include <algorithm>

#include "codegen/model/laws.hpp"
#include "codegen/model/values.hpp"

namespace takt::codegen {
namespace {

/// Less than any difference, and not 0: whether equality counts is seen where both sides are equal,
/// such as two whole numbers, and lost in rounding elsewhere.
constexpr double equality = 1e-100;

/// A number that is > 0 where the condition holds and < 0 elsewhere, continuous where its
/// comparisons are of continuous numbers: where it crosses zero the condition turns.
Expr indicator_of(Graph& graph, Expr condition) {
  const Node node = graph.node(condition);  // a copy: what is made moves the nodes
  switch (node.op) {
    case Op::less:
    case Op::less_equal:
      return graph.add(graph.sub(node.b, node.a),
                       graph.constant(node.op == Op::less ? -equality : equality));
    case Op::logical_and:
      return graph.binary(Op::min, indicator_of(graph, node.a), indicator_of(graph, node.b));
    case Op::logical_or:
      return graph.binary(Op::max, indicator_of(graph, node.a), indicator_of(graph, node.b));
    case Op::logical_not:
      return graph.neg(indicator_of(graph, node.a));
    default:
      return graph.is_condition(condition)
                 ? graph.select(condition, graph.one(), graph.constant(-1.0))
                 : condition;
  }
}

class EventLowering {
 public:
  EventLowering(Workspace& work, Instance& instance, InstanceNames& names)
      : work_(work),
        graph_(work.network.graph()),
        instance_(instance),
        definition_(*instance.definition),
        names_(names) {}

  void run() {
    for (const ModeDefinition& mode : definition_.modes) hold(mode);
    for (const ModeDefinition& mode : definition_.modes)
      if (!mode.is_set_by_events()) follow(mode);
    for (const EventDefinition& event : definition_.events) lower(event);
  }

 private:
  [[nodiscard]] SymbolId symbol_of(std::string_view name) const {
    return static_cast<SymbolId>(graph_.node(instance_.variables.find(name)->second.value).payload);
  }

  /// A state that stays as it is until an event.
  void hold(const ModeDefinition& mode) {
    ElementState made;
    made.element = instance_.element;
    made.symbol = symbol_of(mode.name);
    made.derivative = graph_.zero();
    made.start = names_.lower_start(mode.start).value_or(graph_.zero());
    made.fixed = made.held = true;
    made.where = instance_.entry->where;
    work_.network.states.push_back(made);
  }

  /// While 0 it turns on where `on` > 0, while 1 it turns off where `off` > 0.
  void follow(const ModeDefinition& mode) {
    const Expr is_on =
        graph_.binary(Op::less, graph_.constant(0.5), graph_.use(symbol_of(mode.name)));
    const Expr never = graph_.constant(-1.0);
    const auto on = indicator(mode.on, mode.name + ".on"),
               off = indicator(mode.off, mode.name + ".off");
    if (on) turn(mode, {"on", graph_.select(is_on, never, *on), graph_.one()});
    if (off) turn(mode, {"off", graph_.select(is_on, *off, never), graph_.zero()});
  }

  struct Turn {
    std::string name;
    Expr indicator{}, value{};
  };
  void turn(const ModeDefinition& mode, const Turn& turn) {
    StateEvent made = event(mode.name + "." + turn.name, mode.where);
    made.indicator = turn.indicator;
    made.level = true;
    made.sets.push_back({symbol_of(mode.name), turn.value, mode.name, mode.where});
    work_.network.events.push_back(std::move(made));
  }

  void lower(const EventDefinition& definition) {
    const auto when = indicator(definition.when, definition.name);
    if (!when) return;
    StateEvent made = event(definition.name, definition.where);
    made.indicator = *when;
    made.priority = definition.priority;
    for (const EventDefinition::Set& set : definition.sets) {
      const auto value = names_.lower(set.value);
      if (!value) continue;
      const SymbolId symbol = symbol_of(set.name);
      names_.expect(*value, graph_.symbol(symbol).unit, set.value,
                    "what event '" + definition.name + "' sets");
      made.sets.push_back({symbol, value->value, set.name, set.where});
    }
    work_.network.events.push_back(std::move(made));
  }

  [[nodiscard]] StateEvent event(const std::string& name, const Location& where) const {
    StateEvent made;
    made.element = instance_.element;
    made.path = instance_.path + "." + name;
    made.where = where;
    return made;
  }

  /// Nothing after L021: what reads parameters only never comes true.
  [[nodiscard]] std::optional<Expr> indicator(const SourceExpression& source,
                                              const std::string& name) {
    const auto condition = names_.lower(source);
    if (!condition || work_.is_refused(condition->value)) return std::nullopt;
    const Expr made = indicator_of(graph_, condition->value);
    if (!parameter_value(work_, made)) return made;
    work_.error(
        "L021", source.where,
        "the condition of '" + instance_.path + "." + name + "' is constant: it never comes true",
        "compare something that moves: a state, an unknown, a signal or the time");
    return std::nullopt;
  }

  Workspace& work_;
  Graph& graph_;
  Instance& instance_;
  const ElementDefinition& definition_;
  InstanceNames& names_;
};

}  // namespace

void lower_events(Workspace& work, Instance& instance, InstanceNames& names) {
  if (instance.definition->has_event_modes()) EventLowering(work, instance, names).run();
}

void order_events(Network& network) {
  std::stable_sort(
      network.events.begin(), network.events.end(),
      [](const StateEvent& a, const StateEvent& b) { return a.priority < b.priority; });
}

}  // namespace takt::codegen
