#include "codegen/modelica/initial_system.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "codegen/modelica/least_change.hpp"
#include "codegen/modelica/point_values.hpp"
#include "codegen/modelica/state_constraints.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen::modelica {
namespace {

class StartSystem {
 public:
  StartSystem(ScalarModel& model, ReducedModel& reduced, Diagnostics& diagnostics)
      : model_(model), reduced_(reduced), diagnostics_(diagnostics), graph_(model.graph) {}

  void run() {
    std::vector<ScalarEquation> rest;
    for (const ScalarEquation& each : reduced_.initial)
      if (!is_start_value(each)) rest.push_back(each);
    // One after the other: what is set at the start may read what else is.
    const auto known = [&] {
      return std::find_if(rest.begin(), rest.end(), [&](const ScalarEquation& each) {
        return is_known_at_start(each, rest);
      });
    };
    for (auto found = known(); found != rest.end(); found = known()) rest.erase(found);
    const bool fixed_unknown = std::any_of(reduced_.unknowns.begin(), reduced_.unknowns.end(),
                                           [&](SymbolId symbol) { return variable(symbol).fixed; });
    for (const ScalarEquation& each : rest) refuse_free_rates(each);
    const bool joined = !model_.flat->joins.empty();
    if (joined && !(rest.empty() && !fixed_unknown))
      diagnostics_.error(
          "D032", model_.flat->where,
          "initial equations, or fixed starts of what is no state, of a model that joins circuits",
          "give states fixed start values: the plant solves for the rest");
    else if (joined)
      return;
    else if (rest.empty() && !fixed_unknown)
      guess();
    else
      solve(rest);
  }

 private:
  ScalarVariable& variable(SymbolId symbol) {
    return model_.variables[model_.variable_of.at(symbol)];
  }

  /// A rate that no equation between the states has would take any value.
  void refuse_free_rates(const ScalarEquation& equation) {
    for (const auto& [symbol, rate] : model_.derivatives)
      if (!reduced_.rates.contains(symbol) &&
          (graph_.depends_on(equation.left, rate) || graph_.depends_on(equation.right, rate)))
        diagnostics_.error("D025", equation.where,
                           equation.origin + ": the rate of '" + graph_.symbol(symbol).path +
                               "' stands in no equation but this, and so nothing determines it",
                           "give the rate a name by an equation of the model: a = der(" +
                               graph_.symbol(symbol).path + ")");
  }

  /// x = value over parameters: a fixed start value.
  bool is_start_value(const ScalarEquation& equation) {
    // Time begins with 0.
    const Expr difference = graph_.substitute(graph_.sub(equation.left, equation.right),
                                              {{model_.time, graph_.zero()}});
    if (graph_.is_constant(difference) && std::fabs(graph_.node(difference).value) <= 1e-12)
      return true;
    for (const auto& [side, value] :
         {std::pair(equation.left, equation.right), std::pair(equation.right, equation.left)}) {
      const Node node = graph_.node(side);
      if (node.op != Op::symbol || (!reduced_.rates.contains(SymbolId{node.payload}) &&
                                    !is_held(model_, SymbolId{node.payload})))
        continue;
      if (!is_of_parameters(model_, value)) continue;
      ScalarVariable& state = variable(SymbolId{node.payload});
      if (state.fixed && state.start.value_or(graph_.zero()) != value) return false;
      state.start = value;
      state.fixed = true;
      return true;
    }
    return false;
  }

  [[nodiscard]] bool is_truth(SymbolId symbol) const {
    return std::any_of(model_.truths.begin(), model_.truths.end(),
                       [&](const HeldTruth& each) { return each.symbol == symbol; });
  }

  /// held = value of the time, parameters and fixed starts: no system is to be solved for it.
  bool is_known_at_start(const ScalarEquation& equation, const std::vector<ScalarEquation>& open) {
    if (!sets_held(equation)) return false;
    auto given = given_values(model_);
    for (const SymbolId symbol : reduced_.states)
      if (variable(symbol).fixed) given[symbol] = value_of(variable(symbol).start, given);
    for (const SymbolId symbol : reduced_.inputs)
      given[symbol] = value_of(variable(symbol).start, given);
    for (const SymbolId symbol : reduced_.held)
      if (!is_truth(symbol) &&
          std::none_of(open.begin(), open.end(), [&](const ScalarEquation& each) {
            return graph_.depends_on(each.left, symbol);
          }))
        given[symbol] = value_of(variable(symbol).start, given);
    const auto symbols = graph_.symbols_of(equation.right);
    if (!std::all_of(symbols.begin(), symbols.end(),
                     [&](SymbolId symbol) { return given.contains(symbol); }))
      return false;
    ScalarVariable& held = variable(SymbolId{graph_.node(equation.left).payload});
    held.start = graph_.constant(
        graph_.evaluate(equation.right, [&](SymbolId symbol) { return given.at(symbol); }));
    for (const SymbolId symbol : symbols) fix(symbol);
    return true;
  }

  /// A parameter that a start was computed with, and those that its value is made of.
  void fix(SymbolId symbol) {
    const auto found = model_.parameters.find(symbol);
    if (found == model_.parameters.end()) return;
    model_.fixed_parameters.emplace(found->second.name,
                                    "the start of the model was solved with it");
    for (const SymbolId each : graph_.symbols_of(found->second.value)) fix(each);
  }

  Expr truth_at_start(const HeldTruth& truth, const std::unordered_map<SymbolId, double>& given) {
    std::unordered_map<SymbolId, Expr> were;
    for (const auto& [symbol, before] : model_.befores)
      if (graph_.depends_on(*truth.at_start, before))
        were[before] = graph_.constant(value_of(variable(symbol).start, given));
    return graph_.select(graph_.substitute(*truth.at_start, were), graph_.one(), graph_.zero());
  }

  /// What is held and has a value of its own at the start: by truth values, and by what happens
  /// then.
  std::vector<Named> held_at_start(const std::vector<ScalarEquation>& initial,
                                   const std::unordered_map<SymbolId, double>& given) {
    std::vector<Named> made;
    for (const HeldTruth& each : model_.truths)
      made.push_back({each.symbol, truth_at_start(each, given)});
    for (const ScalarEquation& each : initial)
      if (sets_held(each)) made.push_back({SymbolId{graph_.node(each.left).payload}, each.right});
    return made;
  }
  /// What follows at once, as by events.
  std::vector<Named> held_after_start() {
    std::vector<Named> made;
    for (const HeldTruth& each : model_.truths) {
      const Expr stays = graph_.select(each.off, graph_.zero(), graph_.one());
      const Expr comes = graph_.select(each.on, graph_.one(), graph_.zero());
      const Expr is_on = graph_.binary(Op::less, graph_.constant(0.5), graph_.use(each.symbol));
      made.push_back({each.symbol, graph_.select(is_on, stays, comes)});
    }
    return made;
  }
  [[nodiscard]] bool sets_held(const ScalarEquation& equation) const {
    const Node& node = graph_.node(equation.left);
    return node.op == Op::symbol && is_held(model_, SymbolId{node.payload});
  }

  /// Solved for with all else.
  void add_held(LeastChange& system, std::unordered_map<SymbolId, double>& given,
                const std::vector<ScalarEquation>& initial) {
    for (const SymbolId symbol : reduced_.held) {
      const double start = value_of(variable(symbol).start, given);
      const bool set = std::any_of(initial.begin(), initial.end(), [&](const auto& each) {
        return graph_.depends_on(each.left, symbol) ||
               (!sets_held(each) && graph_.depends_on(each.right, symbol));
      });
      if (set || is_truth(symbol))
        system.add_unknown(symbol, start, true);
      else
        given[symbol] = start;
    }
    for (const HeldTruth& each : model_.truths)
      system.add_equation(graph_.sub(graph_.use(each.symbol), truth_at_start(each, given)));
  }

  /// Which states may have another value than their start.
  enum class Moves : std::uint8_t { none, open_ones, all };

  /// Where the solver begins: unknowns that fit the states. 0 is a bad guess for what something is
  /// divided by. States with constraints among them: those whose starts are no equations follow
  /// from the others.
  void guess() {
    if (!model_.truths.empty() && guess_with_truths()) return;
    for (const Moves moves : {Moves::none, Moves::open_ones, Moves::all}) {
      if (moves != Moves::none && states_are_free()) return;
      LeastChange system(graph_);
      auto given = given_values(model_);
      for (const auto* list : {&reduced_.inputs, &reduced_.states})
        for (const SymbolId symbol : *list) given[symbol] = value_of(variable(symbol).start, given);
      for (const SymbolId symbol : reduced_.states) {
        const bool open =
            moves == Moves::all || (moves == Moves::open_ones && !variable(symbol).fixed);
        if (open) system.add_unknown(symbol, given.at(symbol), variable(symbol).start.has_value());
        system.add_unknown(reduced_.rates.at(symbol), 0.0, false);
      }
      for (const SymbolId symbol : reduced_.unknowns)
        system.add_unknown(symbol, value_of(variable(symbol).start, given), false);
      add_held(system, given, {});
      add_equations(system, {});
      const auto solution = system.solve(given);
      if (!solution.converged) continue;
      for (const SymbolId symbol : reduced_.unknowns)
        variable(symbol).start = graph_.constant(solution.values.at(symbol));
      for (const HeldTruth& each : model_.truths)
        variable(each.symbol).start = graph_.constant(solution.values.at(each.symbol));
      if (moves == Moves::none) return;
      for (const SymbolId symbol : reduced_.states)
        follow(symbol, given.at(symbol), solution.values);
      return;
    }
  }

  /// Truth values are decided by what states and unknowns are without them, and these are sought
  /// anew.
  bool guess_with_truths() {
    auto given = given_values(model_);
    for (const SymbolId symbol : reduced_.inputs)
      given[symbol] = value_of(variable(symbol).start, given);
    const auto values = solved_in_rounds({}, given);
    if (!values) return false;
    for (const SymbolId symbol : reduced_.unknowns)
      variable(symbol).start = graph_.constant(values->at(symbol));
    for (const HeldTruth& each : model_.truths)
      variable(each.symbol).start = graph_.constant(values->at(each.symbol));
    for (const SymbolId symbol : reduced_.states)
      if (values->contains(symbol))
        follow(symbol, value_of(variable(symbol).start, given), *values);
    return true;
  }

  /// No constraint ties the states: whatever they are, the equations leave it so. Where the
  /// unknowns are not found the plant looks for them itself, by other means.
  [[nodiscard]] bool states_are_free() const {
    return reduced_.equations.size() == reduced_.unknowns.size() + reduced_.states.size() &&
           state_constraints(model_, reduced_).empty();
  }

  /// A state that the others determine starts there, unless its start is an equation too.
  void follow(SymbolId symbol, double given, const std::unordered_map<SymbolId, double>& values) {
    const auto found = values.find(symbol);
    if (found == values.end()) return;
    ScalarVariable& state = variable(symbol);
    const bool same = std::fabs(found->second - given) <= 1e-9 * (1.0 + std::fabs(given));
    if (!state.fixed) {
      if (!same) state.start = graph_.constant(found->second);
    } else if (!same) {
      diagnostics_.error("D025", state.declared->where,
                         "'" + state.name + "' has the fixed start value " + number_text(given) +
                             ", which other fixed start values and the equations contradict",
                         "fix fewer start values: what constraints determine has none of its own");
    }
  }

  void solve(const std::vector<ScalarEquation>& initial) {
    auto given = given_values(model_);
    for (const SymbolId symbol : reduced_.inputs)
      given[symbol] = value_of(variable(symbol).start, given);
    LeastChange system(graph_);
    std::size_t conditions = initial.size();
    auto all = given;
    add_variables(system, all, conditions);
    add_held(system, all, initial);
    add_equations(system, initial);
    auto solution = system.solve(all);
    if (!solution.converged)
      if (const auto values = solved_in_rounds(initial, given)) return take_over(*values);
    if (!solution.converged) {
      diagnostics_.error(
          "D025", model_.flat->where,
          std::to_string(conditions) +
              " fixed start values and initial equations have no solution with the " +
              std::to_string(reduced_.equations.size()) + " equations at time 0; what is left is " +
              number_text(solution.residual),
          "give start values that are near the solution, or fewer that are fixed");
      return;
    }
    take_over(solution.values);
  }

  void add_variables(LeastChange& system, std::unordered_map<SymbolId, double>& given,
                     std::size_t& conditions) {
    const auto add = [&](SymbolId symbol, bool trusted) {
      const double start = value_of(variable(symbol).start, given);
      if (variable(symbol).fixed)
        given[symbol] = start, ++conditions;
      else
        system.add_unknown(symbol, start, trusted);
    };
    for (const SymbolId symbol : reduced_.states) {
      add(symbol, true);
      system.add_unknown(reduced_.rates.at(symbol), 0.0, false);
    }
    for (const SymbolId symbol : reduced_.unknowns) add(symbol, false);
  }

  void add_equations(LeastChange& system, const std::vector<ScalarEquation>& initial) {
    const auto& equations = reduced_.at_start.empty() ? reduced_.equations : reduced_.at_start;
    for (const auto* list : {&std::as_const(equations), &initial})
      for (const ScalarEquation& each : *list)
        system.add_equation(graph_.sub(each.left, each.right));
    for (const Expr each : hidden_constraints(model_, reduced_)) system.add_equation(each);
  }

  /// What jumps has no slope: what is held is set to what the solution with its last values says,
  /// until nothing changes.
  std::optional<std::unordered_map<SymbolId, double>> solved_in_rounds(
      const std::vector<ScalarEquation>& initial,
      const std::unordered_map<SymbolId, double>& given) {
    constexpr int most_rounds = 50;
    std::vector<Named> held = held_at_start(initial, given);
    if (held.empty()) return std::nullopt;
    bool begun = false;
    std::vector<ScalarEquation> rest;
    for (const ScalarEquation& each : initial)
      if (!sets_held(each)) rest.push_back(each);
    auto kept = given;
    for (const SymbolId symbol : reduced_.held)
      kept[symbol] = value_of(variable(symbol).start, given);
    for (int round = 0; round < most_rounds; ++round) {
      LeastChange system(graph_);
      auto all = kept;
      std::size_t conditions = 0;
      add_variables(system, all, conditions);
      add_equations(system, rest);
      auto solution = system.solve(all);
      if (!solution.converged) return std::nullopt;
      all.insert(solution.values.begin(), solution.values.end());
      bool changed = false;
      for (const Named& each : held) {
        const double now =
            graph_.evaluate(each.value, [&](SymbolId symbol) { return all.at(symbol); });
        changed = changed || std::fabs(now - kept.at(each.symbol)) > 1e-12 * (1.0 + std::fabs(now));
        kept[each.symbol] = now;
      }
      if (changed) continue;
      if (!std::exchange(begun, true) && !model_.truths.empty()) {
        held = held_after_start();
        continue;
      }
      for (const SymbolId symbol : reduced_.held) solution.values[symbol] = kept.at(symbol);
      return solution.values;
    }
    return std::nullopt;
  }

  [[nodiscard]] double value_of(const std::optional<Expr>& start,
                                const std::unordered_map<SymbolId, double>& given) const {
    return start ? graph_.evaluate(*start, [&](SymbolId symbol) { return given.at(symbol); }) : 0.0;
  }

  void take_over(const std::unordered_map<SymbolId, double>& values) {
    for (const auto* list : {&reduced_.states, &reduced_.unknowns})
      for (const SymbolId symbol : *list)
        variable(symbol).start = graph_.constant(values.at(symbol));
    for (const SymbolId symbol : reduced_.held)
      if (const auto found = values.find(symbol); found != values.end())
        variable(symbol).start = graph_.constant(found->second);
    for (const auto& [symbol, parameter] : model_.parameters)
      model_.fixed_parameters.emplace(parameter.name, "the start of the model was solved with it");
  }

  ScalarModel& model_;
  ReducedModel& reduced_;
  Diagnostics& diagnostics_;
  Graph& graph_;
};

}  // namespace

void solve_start(ScalarModel& model, ReducedModel& reduced, Diagnostics& diagnostics) {
  StartSystem(model, reduced, diagnostics).run();
}

}  // namespace takt::codegen::modelica
