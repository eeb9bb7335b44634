#include "codegen/modelica/events.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "codegen/modelica/event_values.hpp"

namespace takt::codegen::modelica {
namespace {

using Set = ScalarEvent::Set;

SymbolId symbol_in(const Graph& graph, Expr e) { return SymbolId{graph.node(e).payload}; }

/// Events as the plant has them.
class Settling {
 public:
  Settling(ScalarModel& model, ReducedModel& reduced, Diagnostics& diagnostics)
      : model_(model), reduced_(reduced), diagnostics_(diagnostics), graph_(model.graph) {}

  void run() {
    for (ScalarEvent& each : model_.events) guarded(each, [&] { settle_conditions(each); });
    guarded_all([&] { check_targets(); });
    if (diagnostics_.has_errors()) return;
    EventValues values(model_, reduced_);
    const std::vector<ScalarEvent> written = model_.events;
    for (std::size_t k = 0; k < written.size(); ++k)
      guarded(written[k], [&] { settle_values(written[k], values, model_.events[k]); });
    if (diagnostics_.has_errors()) return;
    for (HeldTruth& each : model_.truths) {
      each.on = plain(values.named_put_in(each.on));
      each.off = plain(values.named_put_in(each.off));
      each.value = values.named_put_in(*each.value);
      each.at_start = values.named_put_in(*each.at_start);
    }
    for (std::size_t k = 0; k < model_.events.size() && k < written.size(); ++k)
      guarded(written[k], [&] { settle_truths(written[k], values, model_.events[k]); });
    if (diagnostics_.has_errors()) return;
    complete_chains();
    std::erase_if(model_.events, [](const ScalarEvent& each) { return each.conditions.empty(); });
    for (const SampleTick& each : model_.ticks) count(each);
    refuse_ticks_elsewhere();
    forget_befores();
  }

 private:
  template <class Work>
  void guarded(const ScalarEvent& event, const Work& work) {
    try {
      work();
    } catch (const Refusal& refusal) {
      diagnostics_.error(refusal.code, event.where, event.origin + ": " + refusal.message,
                         refusal.hint);
    }
  }
  template <class Work>
  void guarded_all(const Work& work) {
    guarded({.origin = "when-equations", .where = model_.flat->where}, work);
  }

  [[nodiscard]] std::string name_of(SymbolId symbol) const { return graph_.symbol(symbol).path; }

  /// pre(x) is what the plant calls x at an event.
  Expr plain(Expr e) {
    for (const auto& [symbol, before] : model_.befores) afters_[before] = graph_.use(symbol);
    return graph_.substitute(e, afters_);
  }

  const SampleTick* tick_of(Expr e) const {
    const Node& node = graph_.node(e);
    if (node.op != Op::symbol) return nullptr;
    for (const SampleTick& each : model_.ticks)
      if (each.symbol == SymbolId{node.payload}) return &each;
    return nullptr;
  }

  // --- conditions

  /// What is said with `and` or `or` at the top.
  void add_parts(std::vector<Expr>& parts, Expr e, Op op) const {
    const Node node = graph_.node(e);
    if (node.op != op) return parts.push_back(e);
    add_parts(parts, node.a, op);
    add_parts(parts, node.b, op);
  }

  /// initial() and sample() are taken out: the first is no condition of the plant, the second is
  /// where its count is due, whatever else is demanded at that instant.
  void settle_conditions(ScalarEvent& event) {
    std::vector<Expr> settled;
    std::vector<Expr> demanded;
    for (const Expr condition : event.conditions) {
      const auto after_start = without_initial(condition);
      event.at_start = event.at_start || after_start.has_value();
      const Expr part = after_start.value_or(condition);
      if (graph_.is_constant(part)) continue;  // it never comes true
      const auto [instant, rest] = sampled(part);
      settled.push_back(instant);
      demanded.push_back(rest);
    }
    demand(event, demanded);
    event.conditions = std::move(settled);
  }

  /// initial() or c: at the start, and c from then on. (What comes true while another part of an
  /// `or` is true is no event: parts of it are no conditions of their own.)
  /// @return c; nothing where there is no initial()
  std::optional<Expr> without_initial(Expr condition) {
    std::vector<Expr> parts;
    add_parts(parts, condition, Op::logical_or);
    const std::size_t before = parts.size();
    std::erase(parts, graph_.use(model_.initial_mark));
    if (parts.size() == before) return std::nullopt;
    Expr rest = graph_.zero();
    for (const Expr each : parts) rest = graph_.binary(Op::logical_or, rest, each);
    return rest;
  }

  /// @return an instant, and what must hold at it
  std::pair<Expr, Expr> sampled(Expr condition) {
    std::vector<Expr> parts;
    add_parts(parts, condition, Op::logical_and);
    const auto tick =
        std::find_if(parts.begin(), parts.end(), [&](Expr each) { return tick_of(each); });
    Expr instant = condition, rest = graph_.one();
    if (tick != parts.end()) {
      instant = *tick;
      parts.erase(tick);
      for (const Expr each : parts) rest = graph_.binary(Op::logical_and, rest, each);
    }
    for (const SymbolId symbol : graph_.symbols_of({tick_of(instant) ? rest : instant, rest}))
      if (symbol == model_.initial_mark || tick_of(graph_.use(symbol)) != nullptr)
        throw Refusal{"D021",
                      "'sample' or 'initial' within a condition that is more than a choice of "
                      "instants",
                      "write it as one of several conditions: when {initial(), sample(0, 1)}",
                      {}};
    return {instant, rest};
  }

  /// Where something is demanded at a sample, values change only if it holds.
  void demand(ScalarEvent& event, const std::vector<Expr>& demanded) {
    const auto is_one = [&](Expr each) { return graph_.is_constant(each, 1.0); };
    if (std::all_of(demanded.begin(), demanded.end(), is_one)) return;
    if (demanded.size() > 1 || event.at_start)
      throw Refusal{"D021",
                    "a sample with a condition among other conditions",
                    "give it a when-equation of its own",
                    {}};
    for (Set& each : event.sets)
      each.value = graph_.select(demanded[0], each.value, kept_value(each));
  }

  Expr kept_value(const Set& set) {
    if (set.is_reinit) return set.target;
    const SymbolId symbol = symbol_in(graph_, set.target), before = before_of(model_, symbol);
    afters_[before] = graph_.use(symbol);
    return graph_.use(before);
  }

  /// Each is set by one when-equation; what is set is held, or a state.
  void check_targets() {
    std::map<SymbolId, std::size_t> setters;
    for (ScalarEvent& event : model_.events)
      for (Set& each : event.sets) {
        const Node node = graph_.node(each.target);
        if (node.op == Op::neg) each = {node.a, graph_.neg(each.value), each.is_reinit};
        if (graph_.node(each.target).op != Op::symbol)
          throw Refusal{
              "D020", "what is set is given by an equation: " + graph_.text(each.target), "", {}};
        const SymbolId symbol = symbol_in(graph_, each.target);
        const bool is_state = reduced_.rates.contains(symbol);
        const bool is_held =
            std::find(reduced_.held.begin(), reduced_.held.end(), symbol) != reduced_.held.end();
        if (each.is_reinit ? !is_state : !is_held)
          throw Refusal{"D020",
                        each.is_reinit ? "'" + name_of(symbol) + "' has a new value and is no state"
                                       : "'" + name_of(symbol) +
                                             "' is set and is a state, or given by an equation",
                        "",
                        {}};
        const auto [setter, first] = setters.emplace(symbol, event.chain);
        if (!first && setter->second != event.chain)
          throw Refusal{"D020", "two when-equations set '" + name_of(symbol) + "'", "", {}};
      }
  }

  // --- values

  void settle_values(const ScalarEvent& written, EventValues& values, ScalarEvent& made) {
    const bool starts = written.at_start || ticks_at_start(written);
    for (std::size_t k = 0; k < written.sets.size(); ++k) {
      const Expr value = written.sets[k].value;
      made.sets[k].value =
          at_tick(written, plain(values.after(written, at_instants(value, false))));
      if (starts) add_start(written, written.sets[k], values, at_instants(value, true));
    }
    for (Expr& each : made.conditions) {
      const SampleTick* tick = tick_of(each);
      each = tick == nullptr ? plain(each) : due(*tick);
    }
  }

  /// Samples and initial() within what clocks set.
  Expr at_instants(Expr e, bool at_start) {
    std::unordered_map<SymbolId, Expr> values;
    for (const SampleTick& each : model_.ticks)
      if (each.step > 0)
        values[each.symbol] = at_start ? graph_.constant(each.offset == 0 ? 1.0 : 0.0) : due(each);
    if (values.empty()) return e;
    values[model_.initial_mark] = graph_.constant(at_start ? 1.0 : 0.0);
    return graph_.substitute(e, values);
  }

  /// A truth value that may change at the same instant has read what was before: the event tells
  /// it.
  void settle_truths(const ScalarEvent& event, EventValues& values, ScalarEvent& made) {
    for (const HeldTruth& each : model_.truths)
      if (const auto value = values.truth_after(event, each))
        made.sets.push_back({graph_.use(each.symbol), plain(*value), false});
  }

  /// Every branch of a chain sets what any of them sets, so that the first that counts at an
  /// instant counts whole.
  void complete_chains() {
    for (ScalarEvent& event : model_.events)
      for (const ScalarEvent& other : std::vector<ScalarEvent>(model_.events)) {
        if (other.chain != event.chain || other.branch == event.branch) continue;
        for (const Set& each : other.sets)
          if (std::none_of(event.sets.begin(), event.sets.end(),
                           [&](const Set& one) { return one.target == each.target; }))
            event.sets.push_back({each.target, each.target, each.is_reinit});
      }
  }

  // --- samples

  /// The first count that lies after time 0.
  [[nodiscard]] double first_count(const SampleTick& tick) const {
    if (tick.step > 0) return tick.offset > 0 ? 0.0 : 1.0;
    const double first = parameter_value(model_, tick.first),
                 period = parameter_value(model_, tick.period);
    return first > 0.0 ? 0.0 : std::floor(-first / period) + 1.0;
  }

  [[nodiscard]] bool ticks_at_start(const ScalarEvent& event) const {
    return std::any_of(event.conditions.begin(), event.conditions.end(), [&](Expr each) {
      const SampleTick* tick = tick_of(each);
      if (tick == nullptr) return false;
      if (tick->step > 0) return tick->offset == 0;
      const double before = first_count(*tick) - 1.0;
      return before >= 0.0 && std::fabs(parameter_value(model_, tick->first) +
                                        before * parameter_value(model_, tick->period)) <=
                                  1e-12 * parameter_value(model_, tick->period);
    });
  }

  /// As others would write it, so that events that are due at one instant are due at one number.
  Expr instant_of(const SampleTick& tick) {
    if (tick.step == 0)
      return graph_.add(tick.first, graph_.mul(graph_.use(tick.count), tick.period));
    const auto constant = [&](long long value) {
      return graph_.constant(static_cast<double>(value));
    };
    const Expr steps =
        graph_.add(constant(tick.offset), graph_.mul(constant(tick.step), graph_.use(tick.count)));
    return graph_.mul(tick.period, graph_.div(steps, constant(tick.resolution)));
  }
  Expr due(const SampleTick& tick) {
    return graph_.binary(Op::less_equal, instant_of(tick), graph_.use(model_.time));
  }
  /// At a sample the time is that number, too: whether a step of a source is seen at an instant
  /// that it shares with the sample is no matter of rounding.
  Expr at_tick(const ScalarEvent& event, Expr e) {
    const SampleTick* tick =
        event.conditions.size() == 1 ? tick_of(event.conditions.front()) : nullptr;
    return tick == nullptr ? e : graph_.substitute(e, {{model_.time, instant_of(*tick)}});
  }

  void count(const SampleTick& tick) {
    ScalarEvent made;
    made.conditions = {due(tick)};
    made.sets = {{graph_.use(tick.count), graph_.add(graph_.use(tick.count), graph_.one()), false}};
    made.chain = model_.flat->whens.size() + static_cast<std::size_t>(&tick - model_.ticks.data());
    made.origin = "sample";
    model_.events.push_back(std::move(made));
    reduced_.counts.push_back({tick.count, first_count(tick)});
  }

  /// A sample is true at an instant, and no equation can say that.
  void refuse_ticks_elsewhere() {
    std::vector<Expr> all;
    for (const auto* list : {&reduced_.equations, &reduced_.initial})
      for (const ScalarEquation& each : *list) all.insert(all.end(), {each.left, each.right});
    for (const HeldTruth& each : model_.truths) all.insert(all.end(), {each.on, each.off});
    for (const ScalarEvent& event : model_.events) {
      all.insert(all.end(), event.conditions.begin(), event.conditions.end());
      for (const Set& each : event.sets) all.push_back(each.value);
    }
    for (const SymbolId symbol : graph_.symbols_of(all))
      if (symbol == model_.initial_mark || tick_of(graph_.use(symbol)) != nullptr)
        diagnostics_.error("D021", model_.flat->where,
                           "'sample' or 'initial' outside of the condition of a when-equation",
                           "use it in conditions of when-equations alone");
    std::erase_if(reduced_.named, [&](const Named& each) {
      const auto symbols = graph_.symbols_of(each.value);
      return std::any_of(symbols.begin(), symbols.end(), [&](SymbolId symbol) {
        return symbol == model_.initial_mark || tick_of(graph_.use(symbol)) != nullptr;
      });
    });
  }

  /// Between events pre(x) is x.
  void forget_befores() {
    for (auto* list : {&reduced_.equations, &reduced_.initial})
      for (ScalarEquation& each : *list)
        each.left = plain(each.left), each.right = plain(each.right);
    for (Named& each : reduced_.named) each.value = plain(each.value);
    std::unordered_map<SymbolId, Expr> values;
    for (const Named& each : reduced_.named) values[each.symbol] = each.value;
    for (const Named& each : reduced_.named) {
      Expr value = each.value;
      for (std::size_t k = 0; k < values.size() && !graph_.depends_on(value, each.symbol); ++k) {
        const Expr next = graph_.substitute(value, values);
        if (next == value) break;
        value = next;
      }
      if (graph_.depends_on(value, each.symbol))
        diagnostics_.error("D023", model_.flat->where,
                           "'" + name_of(each.symbol) + "' depends on what it was",
                           "a truth value may depend on its own pre; whole numbers are set in "
                           "when-equations");
    }
  }

  // --- the initial instant

  void add_start(const ScalarEvent& event, const Set& set, EventValues& values, Expr value) {
    if (set.is_reinit)
      throw Refusal{"D020", "reinit at the initial instant", "give the state this start value", {}};
    std::unordered_map<SymbolId, Expr> before;
    for (const auto& [symbol, pre] : model_.befores) {
      if (!is_held(model_, symbol)) continue;
      const auto& start = model_.variables[model_.variable_of.at(symbol)].start;
      before[pre] = start.value_or(graph_.zero());
    }
    // What is only read is written out, also where pre of it is asked for.
    const Expr now = plain(graph_.substitute(values.named_put_in(value), before));
    reduced_.initial.push_back(
        {set.target, values.named_put_in(now), event.origin + ", at the start", event.where});
  }

  ScalarModel& model_;
  ReducedModel& reduced_;
  Diagnostics& diagnostics_;
  Graph& graph_;
  std::unordered_map<SymbolId, Expr> afters_;  ///< x by pre(x)
};

}  // namespace

void settle_events(ScalarModel& model, ReducedModel& reduced, Diagnostics& diagnostics) {
  Settling(model, reduced, diagnostics).run();
}

}  // namespace takt::codegen::modelica
