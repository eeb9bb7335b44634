#include <algorithm>
#include <set>

#include "codegen/modelica/alias_elimination.hpp"
#include "codegen/modelica/reduced_model.hpp"
#include "codegen/modelica/semi_linear.hpp"

namespace takt::codegen::modelica {
namespace {

class Reduction {
 public:
  Reduction(ScalarModel& model, Diagnostics& diagnostics)
      : model_(model), aliases_(model, diagnostics), diagnostics_(diagnostics) {}

  std::optional<ReducedModel> run() {
    try {
      SemiLinearRules flows(model_, aliases_);
      aliases_.run();
      if (!diagnostics_.has_errors() && !model_.semi_linear.empty()) {
        flows.apply();
        aliases_.run();
      }
      if (diagnostics_.has_errors()) return std::nullopt;
      out_.aliases = aliases_.aliases();
      out_.equations = model_.equations;
      out_.initial = model_.initial;
      put_in_functions_of_time();
      sort_variables();
      check_balance();
      name_outputs();
      name_definitions();
      order_states();
    } catch (const Refusal& refusal) {
      diagnostics_.error(refusal.code, model_.flat->where, refusal.message, refusal.hint);
    }
    return diagnostics_.has_errors() ? std::nullopt : std::optional(std::move(out_));
  }

 private:
  /// What conditions and tables read is seen to be of the time, where it is: steps are cut there.
  void put_in_functions_of_time() {
    for (bool changed = true; changed;) {
      changed = false;
      const std::set<SymbolId> decisive = read_by_what_bends();
      std::unordered_map<SymbolId, Expr> found;
      std::set<const ScalarEquation*> kept;
      for (const ScalarEquation& each : out_.equations)
        if (const auto named = function_of_time(each); named && decisive.contains(named->symbol))
          if (found.emplace(named->symbol, named->value).second) kept.insert(&each);
      for (auto* list : {&out_.equations, &out_.initial})
        for (ScalarEquation& each : *list) {
          if (kept.contains(&each)) continue;
          const Expr left = model_.graph.substitute(each.left, found),
                     right = model_.graph.substitute(each.right, found);
          changed = changed || left != each.left || right != each.right;
          each.left = left, each.right = right;
        }
    }
  }

  /// Variables in conditions, tables and what else is not smooth.
  [[nodiscard]] std::set<SymbolId> read_by_what_bends() const {
    std::vector<Expr> roots, bends;
    for (const ScalarEquation& each : out_.equations)
      roots.insert(roots.end(), {each.left, each.right});
    for (const Expr e : model_.graph.reachable(roots)) {
      const Node& node = model_.graph.node(e);
      const bool smooth = node.op <= Op::tanh;
      const bool choice = node.op >= Op::logical_and && node.op <= Op::select;
      if (smooth || choice) continue;
      for (int k = 0; k < Graph::arity(node.op); ++k)
        bends.push_back(k == 0 ? node.a : k == 1 ? node.b : node.c);
    }
    const std::vector<SymbolId> symbols = model_.graph.symbols_of(bends);
    return {symbols.begin(), symbols.end()};
  }

  /// y = f(time, parameters), of what is no state.
  [[nodiscard]] std::optional<Named> function_of_time(const ScalarEquation& equation) const {
    for (const auto& [side, other] :
         {std::pair(equation.left, equation.right), std::pair(equation.right, equation.left)}) {
      const Node node = model_.graph.node(side);
      if (node.op != Op::symbol) continue;
      const SymbolId symbol{node.payload};
      const auto variable = model_.variable_of.find(symbol);
      if (variable == model_.variable_of.end() || model_.variables[variable->second].is_given())
        continue;
      if (model_.derivatives.contains(symbol)) continue;
      const auto symbols = model_.graph.symbols_of(other);
      if (std::all_of(symbols.begin(), symbols.end(), [&](SymbolId read) {
            return read == model_.time || read == model_.literal_mark ||
                   model_.parameters.contains(read);
          }))
        return Named{symbol, other};
    }
    return std::nullopt;
  }

  /// The modeller wants it for a state, and no equation has its rate.
  [[nodiscard]] static bool is_chosen(const ScalarVariable& each) {
    return each.declared->state_select == StateSelect::always && !each.is_given() &&
           !each.declared->is_discrete_type && each.declared->variability != Variability::discrete;
  }

  void sort_variables() {
    std::set<SymbolId> used;
    for (const ScalarEquation& each : out_.equations)
      for (const SymbolId symbol : model_.graph.symbols_of({each.left, each.right}))
        used.insert(symbol);
    const std::set<std::string> texts(model_.texts.begin(), model_.texts.end());
    const std::set<SymbolId> joined = joined_variables();
    for (const ScalarVariable& each : model_.variables) {
      if (out_.aliases.contains(each.symbol) || aliases_.definitions().contains(each.symbol))
        continue;
      auto rate = model_.derivatives.find(each.symbol);
      bool is_state = rate != model_.derivatives.end() && used.contains(rate->second);
      if (!is_state && is_chosen(each) && used.contains(each.symbol)) {
        aliases_.rate_of(each.symbol);
        rate = model_.derivatives.find(each.symbol);
        is_state = true;
      }
      if (each.is_input) {
        out_.inputs.push_back(each.symbol);
        if (is_state)
          throw Refusal{"D029",
                        "the rate of the input '" + each.name + "' is needed",
                        "give the rate as an input, and integrate it in the model",
                        {}};
      } else if (each.is_held) {
        out_.held.push_back(each.symbol);
      } else if (is_state) {
        out_.states.push_back(each.symbol);
        out_.rates[each.symbol] = rate->second;
      } else if (each.declared->is_discrete_type ||
                 each.declared->variability == Variability::discrete) {
        if (!texts.contains(each.name) || used.contains(each.symbol))
          throw Refusal{
              "D023",
              "no equation gives '" + each.name + "', a truth value or whole number, explicitly",
              "give it an equation of its own, or set it in a when-equation",
              {}};
      } else if (!texts.contains(each.name)) {
        out_.unknowns.push_back(each.symbol);
        if (!used.contains(each.symbol) && !joined.contains(each.symbol))
          unused_.push_back(each.name);
      }
    }
  }

  /// What is left of variables of connectors: circuits of the plant have the equation that such a
  /// variable lacks.
  [[nodiscard]] std::set<SymbolId> joined_variables() const {
    std::set<SymbolId> found;
    for (const FlatJoin& join : model_.flat->joins)
      for (const ScalarVariable& each : model_.variables)
        if (each.name == join.across || each.name == join.through)
          for (const SymbolId symbol :
               model_.graph.symbols_of(put_through(model_, out_, each.symbol)))
            found.insert(symbol);
    return found;
  }

  void check_balance() {
    const std::size_t all = out_.states.size() + out_.unknowns.size(),
                      joined = model_.flat->joins.size(), wanted = all - std::min(all, joined);
    if (out_.equations.size() == wanted && unused_.empty()) return;
    std::string names;
    for (std::size_t k = 0; k < std::min<std::size_t>(unused_.size(), 5); ++k)
      names += (k ? ", " : "") + unused_[k];
    diagnostics_.error(
        "D010", model_.flat->where,
        std::to_string(out_.equations.size()) + " equations are left for " +
            std::to_string(wanted) + " variables" +
            (names.empty() ? "" : "; no equation has " + names),
        "the front end should have refused the class: a model has as many equations as variables");
  }

  /// y = f(...), where nothing else reads y: no unknown of the solver. Again, until there is none.
  void name_outputs() {
    std::vector<Named> found;
    for (bool changed = true; changed;) {
      changed = false;
      std::unordered_map<SymbolId, int> uses;
      for (const auto* list : {&out_.equations, &out_.initial})
        for (const ScalarEquation& each : *list)
          for (const SymbolId symbol : model_.graph.symbols_of({each.left, each.right}))
            ++uses[symbol];
      const std::set<SymbolId> unknowns(out_.unknowns.begin(), out_.unknowns.end());
      std::vector<ScalarEquation> rest;
      std::set<SymbolId> gone;
      for (ScalarEquation& each : out_.equations) {
        const auto named = output_of(each, uses, unknowns);
        if (!named || fixed(named->symbol)) {
          rest.push_back(std::move(each));
          continue;
        }
        gone.insert(named->symbol);
        found.push_back(*named);
        changed = true;
      }
      out_.equations = std::move(rest);
      std::erase_if(out_.unknowns, [&](SymbolId symbol) { return gone.contains(symbol); });
    }
    out_.named.assign(found.rbegin(), found.rend());
  }

  [[nodiscard]] bool fixed(SymbolId symbol) const {
    return model_.variables[model_.variable_of.at(symbol)].fixed;
  }

  [[nodiscard]] std::optional<Named> output_of(const ScalarEquation& equation,
                                               const std::unordered_map<SymbolId, int>& uses,
                                               const std::set<SymbolId>& unknowns) {
    for (const auto& [side, other] :
         {std::pair(equation.left, equation.right), std::pair(equation.right, equation.left)}) {
      const Node node = model_.graph.node(side);
      const bool negative = node.op == Op::neg;
      const Node inner = negative ? model_.graph.node(node.a) : node;
      if (inner.op != Op::symbol) continue;
      const SymbolId symbol{inner.payload};
      if (!unknowns.contains(symbol) || uses.at(symbol) != 1 ||
          model_.graph.depends_on(other, symbol))
        continue;
      return Named{symbol, negative ? model_.graph.neg(other) : other};
    }
    return std::nullopt;
  }

  void name_definitions() {
    for (const auto& [symbol, value] : aliases_.definitions())
      out_.named.push_back({symbol, aliases_.resolved(value)});
  }

  /// Where constraints leave a choice, the states are integrated whose starts are equations, then
  /// those that the modeller prefers: the start of a state that is not integrated follows from the
  /// others.
  void order_states() {
    const auto rank = [&](SymbolId symbol) {
      const ScalarVariable& each = model_.variables[model_.variable_of.at(symbol)];
      return 100 * static_cast<int>(each.declared->state_select) + (each.fixed ? 500 : 0) +
             (each.start ? 10 : 0) +
             (each.declared->variability == Variability::parameter ? 10000 : 0);
    };
    std::stable_sort(out_.states.begin(), out_.states.end(),
                     [&](SymbolId a, SymbolId b) { return rank(a) > rank(b); });
  }

  ScalarModel& model_;
  AliasElimination aliases_;
  Diagnostics& diagnostics_;
  ReducedModel out_;
  std::vector<std::string> unused_;
};

}  // namespace

Expr put_through(ScalarModel& model, const ReducedModel& reduced, SymbolId symbol) {
  bool negative = false;
  const auto signed_value = [&](Expr value) { return negative ? model.graph.neg(value) : value; };
  for (auto at = reduced.aliases.find(symbol); at != reduced.aliases.end();
       at = reduced.aliases.find(symbol)) {
    negative = negative != (at->second.sign < 0);
    if (!at->second.target) return signed_value(at->second.value);
    symbol = *at->second.target;
  }
  return signed_value(model.graph.use(symbol));
}

std::optional<ReducedModel> reduce(ScalarModel& model, Diagnostics& diagnostics) {
  return Reduction(model, diagnostics).run();
}

}  // namespace takt::codegen::modelica
