// Discrete variables with memory: their equations read pre of themselves or of each other (Modelica
// Language Specification 3.6, section 8.6: at an event all equations are solved with pre as it was,
// then pre takes the new values, until nothing changes. These are the rounds of a plant's events).

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "codegen/modelica/discrete_definitions.hpp"
#include "codegen/modelica/events.hpp"
#include "codegen/modelica/rewritten.hpp"
#include "codegen/modelica/truth_algebra.hpp"

namespace takt::codegen::modelica {
namespace {

class StateMachines {
 public:
  StateMachines(ScalarModel& model, Diagnostics& diagnostics)
      : model_(model), diagnostics_(diagnostics), graph_(model.graph) {}

  void run() {
    find_definitions();
    find_memory();
    for (const SymbolId symbol : order_)
      if (has_memory_.contains(symbol) && is_whole(symbol)) find_values(symbol);
    if (diagnostics_.has_errors()) return;
    if (!cases_.empty()) write_cases();
    for (const SymbolId symbol : order_)
      if (has_memory_.contains(symbol)) hold(symbol);
    if (!has_memory_.empty()) put_in_conditions();
    take_out();
    settle_initial();
    forget_befores();
  }

 private:
  struct Definition {
    std::size_t equation;
    Expr value;
  };
  struct Case {
    double value;
    SymbolId truth;
  };
  using Replaced = std::unordered_map<SymbolId, Expr>;

  ScalarVariable& variable(SymbolId symbol) {
    return model_.variables[model_.variable_of.at(symbol)];
  }
  [[nodiscard]] bool is_whole(SymbolId symbol) {
    return variable(symbol).declared->type != "Boolean";
  }

  void find_definitions() {
    for (const DiscreteDefinition& each : discrete_definitions(model_)) {
      if (variable(each.symbol).declared->type == "String") continue;
      definitions_.emplace(each.symbol, Definition{each.equation, each.value});
      order_.push_back(each.symbol);
    }
  }

  /// What its equation reads: of others their value now, or what they were.
  struct Reads {
    std::set<SymbolId> now, before;
  };
  [[nodiscard]] Reads reads_of(SymbolId symbol) const {
    Reads made;
    const auto symbols = graph_.symbols_of(definitions_.at(symbol).value);
    const std::set<SymbolId> all(symbols.begin(), symbols.end());
    for (const auto& [other, definition] : definitions_) {
      (void)definition;
      if (all.contains(other)) made.now.insert(other);
      const auto before = model_.befores.find(other);
      if (before != model_.befores.end() && all.contains(before->second)) made.before.insert(other);
    }
    return made;
  }

  /// What they were is read by the equations that give them, by others if need be; and all of whom
  /// one of these reads what they were.
  void find_memory() {
    std::map<SymbolId, Reads> reads;
    for (const SymbolId symbol : order_) reads[symbol] = reads_of(symbol);
    std::set<SymbolId> circle;
    for (const SymbolId symbol : order_) {
      std::set<std::pair<SymbolId, bool>> seen;
      std::vector<std::pair<SymbolId, bool>> open = {{symbol, false}};
      while (!open.empty()) {
        const auto [at, memory] = open.back();
        open.pop_back();
        const auto go = [&](SymbolId to, bool with) {
          if (seen.emplace(to, with).second) open.emplace_back(to, with);
        };
        for (const SymbolId to : reads[at].now) go(to, memory);
        for (const SymbolId to : reads[at].before) go(to, true);
      }
      if (seen.contains({symbol, true})) circle.insert(symbol);
    }
    for (const SymbolId symbol : circle)
      for (const SymbolId to : reads[symbol].before)
        if (circle.contains(to)) has_memory_.insert(to);
    std::vector<SymbolId> open(has_memory_.begin(), has_memory_.end());
    std::set<SymbolId> seen = has_memory_;
    while (!open.empty()) {
      const SymbolId at = open.back();
      open.pop_back();
      for (const SymbolId to : reads[at].now)
        if (seen.insert(to).second) open.push_back(to);
      for (const SymbolId to : reads[at].before) {
        has_memory_.insert(to);
        if (seen.insert(to).second) open.push_back(to);
      }
    }
  }

  /// The numbers that its equation chooses between.
  void find_values(SymbolId symbol) {
    std::set<double> values;
    std::vector<Expr> open = {definitions_.at(symbol).value};
    while (!open.empty()) {
      const Expr e = open.back();
      open.pop_back();
      const Node node = graph_.node(e);
      if (node.op == Op::select) {
        open.insert(open.end(), {node.b, node.c});
      } else if (graph_.is_constant(e)) {
        values.insert(node.value);
      } else if (!is_before(e, symbol)) {
        const ScalarEquation& equation = model_.equations[definitions_.at(symbol).equation];
        diagnostics_.error("D021", equation.where,
                           equation.origin + ": the whole number '" + graph_.symbol(symbol).path +
                               "' has memory, and values that are no plain numbers",
                           "choose between numbers by conditions, or count in a when-equation");
        return;
      }
    }
    const double start = start_of(symbol);
    if (!values.contains(start)) begins_elsewhere_[symbol] = start;
    for (const double value : values) {
      model_.made.push_back(*variable(symbol).declared);
      FlatVariable& declared = model_.made.back();
      declared.type = "Boolean";
      declared.dims.clear();
      ScalarVariable made;
      made.name = fmt::format("{}_is_{}{}", variable(symbol).name, value < 0.0 ? "minus_" : "",
                              std::fabs(value));
      made.symbol = graph_.make_symbol(made.name, "1");
      made.declared = &declared;
      made.start = graph_.constant(value == start ? 1.0 : 0.0);
      cases_[symbol].push_back({value, made.symbol});
      model_.variable_of[made.symbol] = model_.variables.size();
      model_.variables.push_back(std::move(made));
    }
    variable(symbol).start.reset();
    variable(symbol).fixed = false;
  }
  [[nodiscard]] double start_of(SymbolId symbol) {
    const auto& start = variable(symbol).start;
    return start ? parameter_value(model_, *start) : 0.0;
  }
  [[nodiscard]] bool is_before(Expr e, SymbolId symbol) const {
    const auto before = model_.befores.find(symbol);
    return before != model_.befores.end() && e == graph_.use(before->second);
  }

  /// Whether the number that `e` chooses is that of `which`.
  [[nodiscard]] Expr is_case(Expr e, SymbolId symbol, const Case& which) {
    const Node node = graph_.node(e);
    if (node.op == Op::select) {
      const Expr yes = is_case(node.b, symbol, which), no = is_case(node.c, symbol, which);
      if (yes == no) return yes;
      return either(graph_, both(graph_, node.a, yes), both(graph_, opposite(graph_, node.a), no));
    }
    if (graph_.is_constant(e)) return graph_.constant(node.value == which.value ? 1.0 : 0.0);
    return graph_.use(before_of(model_, which.truth));
  }
  /// The number becomes a choice by its truth values, comparisons with it these.
  void write_cases() {
    for (auto& [symbol, cases] : cases_) {
      Definition& definition = definitions_.at(symbol);
      for (const Case& each : cases) {
        definitions_.emplace(
            each.truth, Definition{definition.equation, is_case(definition.value, symbol, each)});
        order_.push_back(each.truth);
        has_memory_.insert(each.truth);
      }
      has_memory_.erase(symbol);
      Expr chosen = graph_.constant(cases.back().value);
      for (std::size_t k = cases.size() - 1; k-- > 0;)
        chosen = graph_.select(graph_.use(cases[k].truth), graph_.constant(cases[k].value), chosen);
      ScalarEquation& equation = model_.equations[definition.equation];
      equation.left = graph_.use(symbol), equation.right = chosen;
      definition.value = chosen;
    }
    for (auto& [symbol, definition] : definitions_)
      if (!cases_.contains(symbol)) definition.value = compared(definition.value);
    for (auto* list : {&model_.equations, &model_.initial})
      for (ScalarEquation& each : *list)
        each.left = compared(each.left), each.right = compared(each.right);
    for (ScalarEvent& event : model_.events) {
      for (Expr& each : event.conditions) each = compared(each);
      for (ScalarEvent::Set& each : event.sets) each.value = compared(each.value);
    }
  }

  /// Comparisons of such a number with one that is known.
  Expr compared(Expr root) {
    return rewritten(graph_, root, [&](Expr e, const Node& node) -> std::optional<Expr> {
      if (node.op != Op::equal && node.op != Op::less && node.op != Op::less_equal)
        return std::nullopt;
      return by_cases(graph_.node(e));
    });
  }
  std::optional<Expr> by_cases(const Node node) {
    for (const bool first : {true, false}) {
      const Expr number = first ? node.a : node.b, limit = first ? node.b : node.a;
      if (!graph_.is_constant(limit)) continue;
      for (const auto& [symbol, cases] : cases_) {
        const bool before = is_before(number, symbol);
        if (!before && number != graph_.use(symbol)) continue;
        Expr holds = graph_.zero();
        const auto holds_of = [&](double value, Expr then) {
          const double known = graph_.node(limit).value;
          const double a = first ? value : known, b = first ? known : value;
          if (node.op == Op::equal ? a == b : node.op == Op::less ? a < b : a <= b)
            holds = either(graph_, holds, then);
        };
        for (const Case& each : cases)
          holds_of(each.value, graph_.use(before ? before_of(model_, each.truth) : each.truth));
        const auto elsewhere = begins_elsewhere_.find(symbol);
        if (before && elsewhere != begins_elsewhere_.end())
          holds_of(elsewhere->second, graph_.use(model_.initial_mark));
        return holds;
      }
    }
    return std::nullopt;
  }

  /// What an equation gives at an event: other new values of discrete variables are put in.
  Expr now(Expr e, const Location& where) {
    Replaced values;
    for (const SymbolId symbol : graph_.symbols_of(e))
      if (definitions_.contains(symbol)) values[symbol] = now_of(symbol, where);
    return values.empty() ? e : graph_.substitute(e, values);
  }
  Expr now_of(SymbolId symbol, const Location& where) {
    if (const auto found = now_.find(symbol); found != now_.end()) return found->second;
    if (!under_way_.insert(symbol).second)
      throw Refusal{"D023", "discrete variables with memory that depend on each other", "", where};
    const Expr made = now(definitions_.at(symbol).value, where);
    under_way_.erase(symbol);
    return now_[symbol] = made;
  }

  /// A condition comes true in the round in which what it reads does.
  void put_in_conditions() {
    for (ScalarEvent& event : model_.events)
      for (Expr& each : event.conditions) try {
          each = now(each, event.where);
        } catch (const Refusal& refusal) {
          under_way_.clear();
          diagnostics_.error(refusal.code, refusal.where, event.origin + ": " + refusal.message,
                             refusal.hint);
        }
  }

  void hold(SymbolId symbol) {
    const ScalarEquation& equation = model_.equations[definitions_.at(symbol).equation];
    try {
      const Expr value = now_of(symbol, equation.where);
      const auto with = [&](double was) {
        Replaced known = {{model_.initial_mark, graph_.zero()}};
        for (const auto& [other, before] : model_.befores)
          known[before] = other == symbol ? graph_.constant(was) : graph_.use(other);
        return graph_.substitute(value, known);
      };
      HeldTruth made{.symbol = symbol,
                     .on = with(0.0),
                     .off = opposite(graph_, with(1.0)),
                     .where = equation.where};
      made.value = graph_.substitute(value, {{model_.initial_mark, graph_.zero()}});
      made.at_start = graph_.substitute(value, {{model_.initial_mark, graph_.one()}});
      variable(symbol).is_held = true;
      model_.truths.push_back(made);
    } catch (const Refusal& refusal) {
      under_way_.clear();
      diagnostics_.error(refusal.code, refusal.where, equation.origin + ": " + refusal.message,
                         refusal.hint);
    }
  }

  /// Equations of truth values that are held now.
  void take_out() {
    std::set<std::size_t> taken;
    for (const SymbolId symbol : has_memory_) taken.insert(definitions_.at(symbol).equation);
    for (const auto& [symbol, cases] : cases_) {
      (void)cases;
      taken.erase(definitions_.at(symbol).equation);
    }
    std::vector<ScalarEquation> rest;
    for (std::size_t k = 0; k < model_.equations.size(); ++k)
      if (!taken.contains(k)) rest.push_back(std::move(model_.equations[k]));
    model_.equations = std::move(rest);
  }

  /// pre(x) of an initial equation is what is held before the start; of what another equation gives
  /// nothing reads it, and the initial equation that tells it is left out.
  void settle_initial() {
    std::unordered_map<SymbolId, Expr> held;
    for (const auto& [symbol, before] : model_.befores) held[before] = graph_.use(symbol);
    for (const ScalarEquation& each : model_.initial)
      for (const auto& [side, value] :
           {std::pair(each.left, each.right), std::pair(each.right, each.left)})
        for (auto& [symbol, cases] : cases_)
          if (is_before(side, symbol)) begin_with(cases, value, each);
    const auto tells = [&](Expr side) {
      return std::any_of(model_.befores.begin(), model_.befores.end(), [&](const auto& each) {
        return side == graph_.use(each.second) && definitions_.contains(each.first) &&
               !has_memory_.contains(each.first);
      });
    };
    std::erase_if(model_.initial, [&](const ScalarEquation& each) {
      return tells(each.left) || tells(each.right);
    });
    for (ScalarEquation& each : model_.initial) {
      each.left = graph_.substitute(each.left, held);
      each.right = graph_.substitute(each.right, held);
    }
  }

  /// pre(k) = value of an initial equation.
  void begin_with(const std::vector<Case>& cases, Expr value, const ScalarEquation& equation) {
    const bool given = is_of_parameters(model_, value);
    const double start = given ? parameter_value(model_, value) : 0.0;
    const bool known = given && std::any_of(cases.begin(), cases.end(),
                                            [&](const Case& each) { return each.value == start; });
    if (!known)
      diagnostics_.error("D021", equation.where,
                         equation.origin +
                             ": a whole number with memory begins with none of the "
                             "numbers that it takes",
                         "give it one of them as its start value");
    for (const Case& each : cases)
      variable(each.truth).start = graph_.constant(each.value == start ? 1.0 : 0.0);
    for (const SymbolId symbol : graph_.symbols_of(value))
      if (const auto found = model_.parameters.find(symbol); found != model_.parameters.end())
        model_.fixed_parameters.emplace(found->second.name, "a start was computed with it");
  }

  /// Between events pre(x) is x, of what changes at events alone.
  void forget_befores() {
    for (const ScalarEquation& each : model_.equations)
      for (const auto& [symbol, before] : model_.befores)
        if (!changes_at_events(model_, symbol) &&
            (graph_.depends_on(each.left, before) || graph_.depends_on(each.right, before)))
          diagnostics_.error("D021", each.where,
                             each.origin + ": 'pre' of '" + graph_.symbol(symbol).path +
                                 "', which changes between events",
                             "read the variable itself, or set another at an event");
  }

  ScalarModel& model_;
  Diagnostics& diagnostics_;
  Graph& graph_;
  std::map<SymbolId, Definition> definitions_;
  std::vector<SymbolId> order_;  ///< of definitions, as written
  std::set<SymbolId> has_memory_;
  std::map<SymbolId, Expr> now_;
  std::set<SymbolId> under_way_;
  std::map<SymbolId, std::vector<Case>> cases_;  ///< of whole numbers
  std::map<SymbolId, double> begins_elsewhere_;  ///< with a number that it never has again
};

}  // namespace

void hold_truths(ScalarModel& model, Diagnostics& diagnostics) {
  StateMachines(model, diagnostics).run();
}

}  // namespace takt::codegen::modelica
