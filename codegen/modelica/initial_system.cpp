#include "codegen/modelica/initial_system.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "codegen/modelica/known_starts.hpp"
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
    const std::vector<ScalarEquation> rest = take_known_starts(model_, reduced_);
    const bool fixed_unknown = std::any_of(reduced_.unknowns.begin(), reduced_.unknowns.end(),
                                           [&](SymbolId symbol) { return variable(symbol).fixed; });
    for (const ScalarEquation& each : rest) ask_for_rates(each);
    if (diagnostics_.has_errors()) return;
    const bool joined = !model_.flat->joins.empty();
    const bool given = rest.empty() && !fixed_unknown && !has_open_parameters();
    if (joined && !given)
      diagnostics_.error(
          "D032", model_.flat->where,
          "initial equations, parameters that the start determines, or fixed starts of what is no "
          "state, of a model that joins circuits",
          "give states fixed start values: the plant solves for the rest");
    else if (joined)
      return;
    else if (given)
      guess();
    else
      solve(rest);
  }

 private:
  ScalarVariable& variable(SymbolId symbol) {
    return model_.variables[model_.variable_of.at(symbol)];
  }
  [[nodiscard]] double start_of(SymbolId symbol,
                                const std::unordered_map<SymbolId, double>& given) {
    return start_value(graph_, variable(symbol).start, given);
  }

  /// Rates that stand in no equation but initial ones follow from derivatives of equations, where
  /// these have what they are rates of.
  void ask_for_rates(const ScalarEquation& equation) {
    std::set<SymbolId> solved(reduced_.unknowns.begin(), reduced_.unknowns.end());
    for (const auto& [state, rate] : reduced_.rates) solved.insert(rate);
    for (const auto& [symbol, rate] : model_.derivatives) {
      if (reduced_.rates.contains(symbol) ||
          (!graph_.depends_on(equation.left, rate) && !graph_.depends_on(equation.right, rate)))
        continue;
      if (solved.contains(symbol))
        asked_[symbol] = rate;
      else
        diagnostics_.error("D025", equation.where,
                           equation.origin + ": the rate of '" + graph_.symbol(symbol).path +
                               "' stands in no equation but this, and so nothing determines it",
                           "give the rate a name by an equation of the model: a = der(" +
                               graph_.symbol(symbol).path + ")");
    }
  }

  Expr truth_at_start(const HeldTruth& truth, const std::unordered_map<SymbolId, double>& given) {
    std::unordered_map<SymbolId, Expr> were;
    for (const auto& [symbol, before] : model_.befores)
      if (graph_.depends_on(*truth.at_start, before))
        were[before] = graph_.constant(start_of(symbol, given));
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
      if (sets_held(model_, each))
        made.push_back({SymbolId{graph_.node(each.left).payload}, each.right});
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
  /// Solved for with all else.
  void add_held(LeastChange& system, std::unordered_map<SymbolId, double>& given,
                const std::vector<ScalarEquation>& initial) {
    for (const SymbolId symbol : reduced_.held) {
      const double start = start_of(symbol, given);
      const bool set = std::any_of(initial.begin(), initial.end(), [&](const auto& each) {
        return graph_.depends_on(each.left, symbol) ||
               (!sets_held(model_, each) && graph_.depends_on(each.right, symbol));
      });
      if (set || is_truth(model_, symbol))
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
        for (const SymbolId symbol : *list) given[symbol] = start_of(symbol, given);
      for (const SymbolId symbol : reduced_.states) {
        const bool open =
            moves == Moves::all || (moves == Moves::open_ones && !variable(symbol).fixed);
        if (open) system.add_unknown(symbol, given.at(symbol), variable(symbol).start.has_value());
        system.add_unknown(reduced_.rates.at(symbol), 0.0, false);
      }
      for (const SymbolId symbol : reduced_.unknowns)
        system.add_unknown(symbol, start_of(symbol, given), false);
      add_held(system, given, {});
      add_equations(system, {});
      const auto solution = system.solve(given);
      if (!solution.converged) continue;
      for (const SymbolId symbol : reduced_.unknowns)
        variable(symbol).start = graph_.constant(solution.values.at(symbol));
      for (const HeldTruth& each : model_.truths)
        variable(each.symbol).start = graph_.constant(solution.values.at(each.symbol));
      keep_rates(solution.values);
      if (moves == Moves::none) return;
      tell_open_starts(system, solution);
      for (const SymbolId symbol : reduced_.states)
        follow(symbol, given.at(symbol), solution.values);
      return;
    }
  }

  /// Truth values are decided by what states and unknowns are without them, and these are sought
  /// anew.
  bool guess_with_truths() {
    auto given = given_values(model_);
    for (const SymbolId symbol : reduced_.inputs) given[symbol] = start_of(symbol, given);
    const auto values = solved_in_rounds({}, given);
    if (!values) return false;
    for (const SymbolId symbol : reduced_.unknowns)
      variable(symbol).start = graph_.constant(values->at(symbol));
    for (const HeldTruth& each : model_.truths)
      variable(each.symbol).start = graph_.constant(values->at(each.symbol));
    keep_rates(*values);
    for (const SymbolId symbol : reduced_.states)
      if (values->contains(symbol)) follow(symbol, start_of(symbol, given), *values);
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
    for (const SymbolId symbol : reduced_.inputs) given[symbol] = start_of(symbol, given);
    LeastChange system(graph_);
    std::size_t conditions = initial.size();
    auto all = given;
    add_variables(system, all, conditions);
    add_held(system, all, initial);
    add_equations(system, initial);
    auto solution = system.solve(all);
    if (!solution.converged)
      if (const auto values = solved_in_rounds(initial, given)) return take_over(*values);
    if (!solution.converged && system.unknowns() > LeastChange::most_unknowns)
      return diagnostics_.error("D025", model_.flat->where,
                                "the start has " + std::to_string(system.unknowns()) +
                                    " unknowns; at most " +
                                    std::to_string(LeastChange::most_unknowns) + " are solved for",
                                "fix start values of states, and leave initial equations out");
    if (!solution.converged) {
      diagnostics_.error(
          "D025", model_.flat->where,
          std::to_string(conditions) +
              " fixed start values and initial equations have no solution with the " +
              std::to_string(reduced_.equations.size()) + " equations at time 0; what is left is " +
              number_text(solution.residual) + place_of(solution.worst, initial),
          "give start values that are near the solution, or fewer that are fixed");
      return;
    }
    tell_open_starts(system, solution);
    take_over(solution.values);
  }

  [[nodiscard]] bool is_open_parameter(SymbolId symbol) {
    return variable(symbol).declared->variability == Variability::parameter &&
           !variable(symbol).fixed;
  }
  [[nodiscard]] bool has_open_parameters() {
    return std::any_of(reduced_.states.begin(), reduced_.states.end(),
                       [&](SymbolId symbol) { return is_open_parameter(symbol); });
  }

  void refuse_open_parameters(const std::set<SymbolId>& open) {
    for (const SymbolId symbol : open)
      if (is_open_parameter(symbol))
        diagnostics_.error("D008", variable(symbol).declared->where,
                           "parameter '" + graph_.symbol(symbol).path +
                               "' is left to the initialisation (fixed = false), and nothing "
                               "there determines it",
                           "give it a value, or an initial equation that says what it is");
  }

  /// States that begin elsewhere than somebody has said, where equations do not say where.
  void tell_open_starts(const LeastChange& system, const LeastChange::Solution& solution) {
    const auto given = given_values(model_);
    std::set<SymbolId> moved;
    for (const SymbolId symbol : reduced_.states) {
      if (is_open_parameter(symbol)) moved.insert(symbol);
      if (variable(symbol).fixed || !variable(symbol).start) continue;
      const double start = start_of(symbol, given), now = solution.values.at(symbol);
      if (std::fabs(now - start) > 1e-6 * (1.0 + std::fabs(start))) moved.insert(symbol);
    }
    const std::set<SymbolId> open = moved.empty() ? moved : system.open_at(solution, moved);
    refuse_open_parameters(open);
    if (open.empty() || diagnostics_.has_errors()) return;
    constexpr std::size_t most_names = 6;
    std::size_t named = 0;
    std::string names;
    for (const SymbolId symbol : reduced_.states)
      if (open.contains(symbol) && ++named <= most_names)
        names += (names.empty() ? "'" : ", '") + graph_.symbol(symbol).path + "' (" +
                 number_text(solution.values.at(symbol)) + ")";
    diagnostics_.warning(
        "D034", model_.flat->where,
        "the start is not determined: constraints move " + std::to_string(open.size()) +
            " states from their start values, and could move them elsewhere: " + names +
            (named > most_names ? " and " + std::to_string(named - most_names) + " more" : ""),
        "fix the start values that are meant (fixed = true)");
  }

  /// Of an equation in the order of add_held and add_equations.
  [[nodiscard]] std::string place_of(std::size_t row, const std::vector<ScalarEquation>& initial) {
    const auto& equations = reduced_.at_start.empty() ? reduced_.equations : reduced_.at_start;
    if (row < model_.truths.size())
      return ", in what '" + graph_.symbol(model_.truths[row].symbol).path + "' is";
    row -= model_.truths.size();
    for (const auto* list : {&equations, &initial}) {
      if (row < list->size()) return ", in " + (*list)[row].origin;
      row -= list->size();
    }
    return ", in a derivative of " + hidden_->origins.at(row);
  }

  void add_variables(LeastChange& system, std::unordered_map<SymbolId, double>& given,
                     std::size_t& conditions) {
    const auto add = [&](SymbolId symbol, bool trusted) {
      const double start = start_of(symbol, given);
      if (variable(symbol).fixed)
        given[symbol] = start, ++conditions;
      else
        system.add_unknown(symbol, start, trusted);
    };
    for (const SymbolId symbol : reduced_.states) {
      add(symbol, variable(symbol).start.has_value());
      system.add_unknown(reduced_.rates.at(symbol), 0.0, false);
    }
    for (const SymbolId symbol : reduced_.unknowns) add(symbol, false);
  }

  void add_equations(LeastChange& system, const std::vector<ScalarEquation>& initial) {
    const auto& equations = reduced_.at_start.empty() ? reduced_.equations : reduced_.at_start;
    for (const auto* list : {&std::as_const(equations), &initial})
      for (const ScalarEquation& each : *list)
        system.add_equation(graph_.sub(each.left, each.right));
    if (!hidden_) hidden_ = hidden_constraints(model_, reduced_, asked_);
    for (const SymbolId each : hidden_->rates) system.add_unknown(each, 0.0, false);
    for (const Expr each : hidden_->equations) system.add_equation(each);
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
      if (!sets_held(model_, each)) rest.push_back(each);
    auto kept = given;
    for (const SymbolId symbol : reduced_.held) kept[symbol] = start_of(symbol, given);
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
      tell_open_starts(system, solution);
      for (const SymbolId symbol : reduced_.held) solution.values[symbol] = kept.at(symbol);
      return solution.values;
    }
    return std::nullopt;
  }

  /// Where constraints tie states, rates may be integrated in their place.
  void keep_rates(const std::unordered_map<SymbolId, double>& values) {
    if (!hidden_ || hidden_->equations.empty()) return;
    for (const auto& [state, rate] : reduced_.rates) reduced_.started[rate] = values.at(rate);
  }

  void take_over(const std::unordered_map<SymbolId, double>& values) {
    keep_rates(values);
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
  std::map<SymbolId, SymbolId> asked_;  ///< rates in initial equations, of what is no state
  std::optional<HiddenConstraints> hidden_;
};

}  // namespace

void solve_start(ScalarModel& model, ReducedModel& reduced, Diagnostics& diagnostics) {
  StartSystem(model, reduced, diagnostics).run();
}

}  // namespace takt::codegen::modelica
