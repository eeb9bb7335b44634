// Equations of clocked partitions as events at samples. Between partitions, and from the time to
// them, values are those of the last tick, at this instant included; what is sampled is what was
// just before the tick, what is held is a variable that events set (Modelica Language Specification
// 3.6, section 16.5).

#include <algorithm>
#include <set>

#include "codegen/modelica/clock_partitions.hpp"
#include "codegen/modelica/discrete_definitions.hpp"
#include "codegen/modelica/events.hpp"
#include "codegen/modelica/left_limits.hpp"

namespace takt::codegen::modelica {
namespace {

using Kind = ClockWord::Kind;

class Clocks {
 public:
  explicit Clocks(ScalarModel& model) : model_(model), graph_(model.graph), partitions_(model) {}

  void run() {
    for (const ClockWord& each : model_.clock_words) words_[each.symbol] = &each;
    for (const ClockWord& each : model_.clock_words)
      if (makes_variable(each)) add_variable(each);
    take_out_clocks();
    define();
    std::map<std::size_t, ScalarEvent> events;
    for (const auto& [symbol, definition] : definitions_) {
      const std::size_t tick = tick_of(symbol);
      ScalarEvent& event = events[tick];
      event.sets.push_back({graph_.use(symbol), now(symbol), false});
      model_.variables[model_.variable_of.at(symbol)].is_held = true;
    }
    for (auto& [tick, event] : events) {
      event.conditions = {graph_.use(model_.ticks[tick].symbol)};
      // Beyond the when-equations and the counters of samples.
      event.chain = 1'000'000 + tick;
      event.of_clock = true;
      event.origin = "a clocked partition";
      event.where = model_.flat->where;
      model_.events.push_back(std::move(event));
    }
    put_in_held();
  }

 private:
  struct Definition {
    Expr value{};
    Location where{};
    std::string origin;
  };

  [[nodiscard]] static bool makes_variable(const ClockWord& word) {
    return !word.is_clock &&
           (word.kind == Kind::sub || word.kind == Kind::super || word.kind == Kind::shift ||
            word.kind == Kind::back || word.kind == Kind::no_clock || word.kind == Kind::sample);
  }

  /// What an operator gives is held until the next tick, too.
  void add_variable(const ClockWord& word) {
    model_.made.push_back({});
    FlatVariable& declared = model_.made.back();
    declared.name = graph_.symbol(word.symbol).path;
    declared.type = "Real";
    declared.variability = Variability::discrete;
    ScalarVariable made;
    made.symbol = word.symbol;
    made.name = declared.name;
    made.declared = &declared;
    const Node node = graph_.node(*word.operand);
    if (node.op == Op::symbol && word.kind != Kind::sample)
      if (const auto found = model_.variable_of.find(SymbolId{node.payload});
          found != model_.variable_of.end())
        made.start = model_.variables[found->second].start;
    model_.variable_of[word.symbol] = model_.variables.size();
    model_.variables.push_back(std::move(made));
  }

  [[nodiscard]] bool is_clock(SymbolId symbol) const {
    if (const auto word = words_.find(symbol); word != words_.end()) return word->second->is_clock;
    const auto found = model_.variable_of.find(symbol);
    return found != model_.variable_of.end() &&
           model_.variables[found->second].declared->type == "Clock";
  }
  [[nodiscard]] bool is_clock(Expr e) const {
    const Node& node = graph_.node(e);
    return node.op == Op::symbol && is_clock(SymbolId{node.payload});
  }

  /// Clocks have no values; when-equations of clocks are equations of their partition.
  void take_out_clocks() {
    std::erase_if(model_.equations, [&](const ScalarEquation& each) {
      return is_clock(each.left) || is_clock(each.right);
    });
    for (const ScalarVariable& each : model_.variables)
      if (is_clock(each.symbol)) model_.texts.push_back(each.name);
    std::erase_if(model_.events, [&](const ScalarEvent& event) {
      const bool of_clock = std::any_of(event.conditions.begin(), event.conditions.end(),
                                        [&](Expr each) { return is_clock(each); });
      if (!of_clock) return false;
      if (event.conditions.size() > 1 || event.branch > 0)
        throw Refusal{"D021", "a when-equation of a clock and of something else", "", event.where};
      for (const ScalarEvent::Set& each : event.sets) {
        model_.equations.push_back({each.target, each.value, event.origin, event.where});
        model_.variables[model_.variable_of.at(SymbolId{graph_.node(each.target).payload})]
            .is_held = false;
      }
      return true;
    });
  }

  void define() {
    const auto found = definitions_of(model_, [&](const ScalarVariable& each) {
      return partitions_.is_clocked(each.symbol) && !words_.contains(each.symbol) &&
             !is_clock(each.symbol);
    });
    std::set<std::size_t> taken;
    for (const DiscreteDefinition& each : found) {
      const ScalarEquation& equation = model_.equations[each.equation];
      definitions_[each.symbol] = {each.value, equation.where, equation.origin};
      taken.insert(each.equation);
    }
    std::vector<ScalarEquation> rest;
    for (std::size_t k = 0; k < model_.equations.size(); ++k) {
      ScalarEquation& each = model_.equations[k];
      if (taken.contains(k)) continue;
      if (partitions_.is_clocked(each.left) || partitions_.is_clocked(each.right))
        throw Refusal{
            "D021",
            each.origin + ": an equation at the ticks of a clock that gives no variable explicitly",
            "write it as variable = value", each.where};
      rest.push_back(std::move(each));
    }
    model_.equations = std::move(rest);
    for (const auto& [symbol, word] : words_)
      if (makes_variable(*word))
        definitions_[symbol] = {*word->operand, word->where, "an operator"};
    for (const ScalarVariable& each : model_.variables)
      if (partitions_.is_clocked(each.symbol) && !is_clock(each.symbol) &&
          !definitions_.contains(each.symbol) && !each.is_given())
        throw Refusal{"D021", "no equation at the ticks of its clock gives '" + each.name + "'", "",
                      each.declared->where};
  }

  /// Of all partitions with one clock.
  std::size_t tick_of(SymbolId symbol) {
    const ModelClock& clock = partitions_.clock_of(symbol);
    for (const auto& [known, tick] : ticks_)
      if (known == clock) return tick;
    const long long resolution = clock.step.under * clock.offset.under;
    const std::string name = "clock " + std::to_string(ticks_.size() + 1);
    model_.ticks.push_back(
        {.symbol = graph_.make_symbol("$" + name, "1"),
         .count = graph_.make_symbol(name, "1"),
         .first = graph_.constant(clock.period * static_cast<double>(clock.offset.over) /
                                  static_cast<double>(clock.offset.under)),
         .period = graph_.constant(clock.period),
         .step = clock.step.over * clock.offset.under,
         .offset = clock.offset.over * clock.step.under,
         .resolution = resolution});
    ticks_.emplace_back(clock, model_.ticks.size() - 1);
    return model_.ticks.size() - 1;
  }

  /// The new value of a variable at a tick of its own clock, over what was before.
  Expr now(SymbolId symbol) {
    if (const auto found = now_.find(symbol); found != now_.end()) return found->second;
    const Definition& definition = definitions_.at(symbol);
    if (!under_way_.insert(symbol).second)
      throw Refusal{"D021", "'" + graph_.symbol(symbol).path + "' depends on itself at a tick",
                    "read previous of it somewhere", definition.where};
    const auto word = words_.find(symbol);
    const Expr made = word == words_.end()                 ? now(definition.value, symbol)
                      : word->second->kind == Kind::sample ? sampled(definition.value)
                                                           : last(definition.value, symbol);
    under_way_.erase(symbol);
    return now_[symbol] = made;
  }

  /// Of an equation of the partition of `of`.
  Expr now(Expr e, SymbolId of) {
    std::unordered_map<SymbolId, Expr> values;
    for (const SymbolId symbol : graph_.symbols_of(e)) {
      if (const auto word = words_.find(symbol);
          word != words_.end() && !makes_variable(*word->second)) {
        values[symbol] = value_of(*word->second, of);
      } else if (definitions_.contains(symbol)) {
        values[symbol] = now(symbol);
      } else if (model_.variable_of.contains(symbol)) {
        values[symbol] = graph_.use(before_of(model_, symbol));  // given: an input
      }
    }
    return graph_.substitute(e, values);
  }

  Expr value_of(const ClockWord& word, SymbolId of) {
    const ModelClock& clock = partitions_.clock_of(of);
    if (word.kind == Kind::interval)
      return graph_.constant(clock.period * static_cast<double>(clock.step.over) /
                             static_cast<double>(clock.step.under));
    if (word.kind == Kind::first_tick) {
      if (clock.offset.over == 0) return graph_.use(model_.initial_mark);
      return graph_.binary(Op::less, graph_.use(model_.ticks[tick_of(of)].count),
                           graph_.constant(0.5));
    }
    throw Refusal{"D021", "'hold' within an equation at the ticks of a clock", "leave hold out",
                  word.where};
  }

  /// What another clock has set last: new where it ticks at this instant.
  Expr last(Expr e, SymbolId of) {
    std::unordered_map<SymbolId, Expr> before;
    std::optional<SymbolId> other;
    for (const SymbolId symbol : graph_.symbols_of(e))
      if (model_.variable_of.contains(symbol)) {
        before[symbol] = graph_.use(before_of(model_, symbol));
        if (definitions_.contains(symbol)) other = symbol;
      }
    if (!other) return graph_.substitute(e, before);
    const std::size_t its = tick_of(*other);
    const Expr fresh = now(e, *other);
    if (its == tick_of(of)) return fresh;
    return graph_.select(graph_.use(model_.ticks[its].symbol), fresh, graph_.substitute(e, before));
  }

  /// What was just before the tick.
  Expr sampled(Expr e) {
    std::unordered_map<SymbolId, Expr> before;
    const Expr held = with_held(e);
    for (const SymbolId symbol : graph_.symbols_of(held))
      if (model_.variable_of.contains(symbol))
        before[symbol] = graph_.use(before_of(model_, symbol));
    return graph_.substitute(left_limit(model_, held), before);
  }

  Expr with_held(Expr e) {
    std::unordered_map<SymbolId, Expr> values;
    for (const SymbolId symbol : graph_.symbols_of(e))
      if (const auto word = words_.find(symbol);
          word != words_.end() && word->second->kind == Kind::hold)
        values[symbol] = with_held(*word->second->operand);
    return values.empty() ? e : graph_.substitute(e, values);
  }

  /// Between ticks a clocked variable is what it was at the last one.
  void put_in_held() {
    for (auto* list : {&model_.equations, &model_.initial})
      for (ScalarEquation& each : *list)
        each.left = with_held(each.left), each.right = with_held(each.right);
    for (ScalarEvent& event : model_.events) {
      for (Expr& each : event.conditions) each = with_held(each);
      for (ScalarEvent::Set& each : event.sets) each.value = with_held(each.value);
    }
  }

  ScalarModel& model_;
  Graph& graph_;
  ClockPartitions partitions_;
  std::map<SymbolId, const ClockWord*> words_;
  std::map<SymbolId, Definition> definitions_;
  std::map<SymbolId, Expr> now_;
  std::set<SymbolId> under_way_;
  std::vector<std::pair<ModelClock, std::size_t>> ticks_;  ///< index in the model's
};

}  // namespace

void settle_clocks(ScalarModel& model, Diagnostics& diagnostics) {
  if (model.clock_words.empty()) return;
  try {
    Clocks(model).run();
  } catch (const Refusal& refusal) {
    diagnostics.error(refusal.code, refusal.where.line > 0 ? refusal.where : model.flat->where,
                      refusal.message, refusal.hint);
  }
}

}  // namespace takt::codegen::modelica
