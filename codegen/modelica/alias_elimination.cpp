#include "codegen/modelica/alias_elimination.hpp"

#include <algorithm>
#include <cmath>

#include "codegen/modelica/discrete_definitions.hpp"
#include "codegen/modelica/left_limits.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen::modelica {
namespace {

constexpr int most_rounds = 200;

}  // namespace

void AliasElimination::run() {
  for (const auto& [symbol, rate] : model_.derivatives)
    if (const ScalarVariable* each = variable(symbol); each != nullptr && each->is_held)
      replacements_[rate] = model_.graph.zero();
  define_discrete();
  for (int round = 0; round < most_rounds && one_round(); ++round) {
  }
  for (ScalarEquation& each : model_.initial)
    each = {resolved(each.left), resolved(each.right), each.origin, each.where};
  resolve_events();
}

void AliasElimination::resolve_events() {
  for (ScalarEvent& event : model_.events) {
    for (Expr& each : event.conditions) each = resolved(befores_resolved(each));
    for (ScalarEvent::Set& each : event.sets) {
      if (each.is_reinit) each.target = resolved(each.target);
      each.value = resolved(befores_resolved(each.value));
    }
  }
  for (HeldTruth& each : model_.truths) {
    each.on = resolved(befores_resolved(each.on));
    each.off = resolved(befores_resolved(each.off));
    each.value = resolved(befores_resolved(*each.value));
    each.at_start = resolved(befores_resolved(*each.at_start));
  }
}

/// pre(x) of what x has become: pre of all that is in it.
Expr AliasElimination::befores_resolved(Expr e) {
  Graph& graph = model_.graph;
  std::unordered_map<SymbolId, Expr> now;
  const auto befores = model_.befores;
  for (const auto& [symbol, before] : befores) {
    if (!graph.depends_on(e, before)) continue;
    const Expr value = resolved(graph.use(symbol));
    std::unordered_map<SymbolId, Expr> inner;
    for (const SymbolId each : graph.symbols_of(value)) {
      if (variable(each) == nullptr) continue;
      inner[each] = graph.use(before_of(model_, each));
    }
    now[before] = graph.substitute(left_limit(model_, value), inner);
  }
  return graph.substitute(e, now);
}

ScalarVariable* AliasElimination::variable(SymbolId symbol) const {
  const auto found = model_.variable_of.find(symbol);
  return found == model_.variable_of.end() ? nullptr : &model_.variables[found->second];
}

Alias AliasElimination::find(SymbolId symbol) const {
  Alias at{.sign = 1, .target = symbol, .value = {}};
  for (auto next = aliases_.find(symbol); next != aliases_.end();
       next = at.target ? aliases_.find(*at.target) : aliases_.end()) {
    at.sign *= next->second.sign;
    at.target = next->second.target;
    at.value = next->second.value;
  }
  return at;
}

void AliasElimination::replace(SymbolId symbol, Expr value) {
  aliases_.erase(symbol);
  replacements_[symbol] = value;
}

/// With all that was found put in, also into what is put in.
Expr AliasElimination::resolved(Expr e) {
  Graph& graph = model_.graph;
  for (int depth = 0; depth < most_rounds; ++depth) {
    std::unordered_map<SymbolId, Expr> here;
    for (const SymbolId symbol : graph.symbols_of(e)) {
      if (const auto found = aliases_.find(symbol); found != aliases_.end()) {
        const Alias alias = find(symbol);
        const Expr value = alias.target ? graph.use(*alias.target) : alias.value;
        here[symbol] = alias.sign < 0 ? graph.neg(value) : value;
      } else if (const auto rate = replacements_.find(symbol); rate != replacements_.end()) {
        here[symbol] = rate->second;
      } else if (const auto definition = definitions_.find(symbol);
                 definition != definitions_.end()) {
        here[symbol] = definition->second;
      }
    }
    if (here.empty()) return e;
    e = graph.substitute(e, here);
  }
  throw Refusal{"D023",
                "truth values or whole numbers that depend on each other in a circle",
                "a truth value may depend on its own pre; whole numbers are set in when-equations",
                {}};
}

/// Truth values and whole numbers are no unknowns of a solver.
void AliasElimination::define_discrete() {
  std::set<std::size_t> taken;
  for (const DiscreteDefinition& each : discrete_definitions(model_)) {
    definitions_[each.symbol] = each.value;
    taken.insert(each.equation);
  }
  std::vector<ScalarEquation> rest;
  for (std::size_t k = 0; k < model_.equations.size(); ++k)
    if (!taken.contains(k)) rest.push_back(std::move(model_.equations[k]));
  model_.equations = std::move(rest);
}

bool AliasElimination::one_round() {
  bool changed = false;
  std::vector<ScalarEquation> rest;
  for (ScalarEquation& each : model_.equations) {
    try {
      ScalarEquation now{resolved(each.left), resolved(each.right), each.origin, each.where};
      if (take_out(now))
        changed = true;
      else
        rest.push_back(std::move(now));
    } catch (const Refusal& refusal) {
      diagnostics_.error(refusal.code, each.where, each.origin + ": " + refusal.message,
                         refusal.hint);
    }
  }
  model_.equations = std::move(rest);
  return changed && !diagnostics_.has_errors();
}

bool AliasElimination::is_free(Expr e) const {
  const auto symbols = model_.graph.symbols_of(e);
  return std::all_of(symbols.begin(), symbols.end(),
                     [&](SymbolId symbol) { return model_.parameters.contains(symbol); });
}

bool AliasElimination::add_terms(Sum& sum, Expr e, int sign) const {
  const Node node = model_.graph.node(e);
  if (node.op == Op::add || node.op == Op::sub)
    return add_terms(sum, node.a, sign) &&
           add_terms(sum, node.b, node.op == Op::add ? sign : -sign);
  if (node.op == Op::neg) return add_terms(sum, node.a, -sign);
  if (node.op == Op::symbol && variable(SymbolId{node.payload}) != nullptr) {
    sum.terms[SymbolId{node.payload}] += sign;
    return sum.terms.size() <= 8;
  }
  if (!is_free(e)) return false;
  Graph& graph = model_.graph;
  sum.rest = sign > 0 ? graph.add(sum.rest, e) : graph.sub(sum.rest, e);
  return true;
}

/// @return whether the equation is no longer needed
bool AliasElimination::take_out(const ScalarEquation& equation) {
  Graph& graph = model_.graph;
  Sum sum{.terms = {}, .rest = graph.zero()};
  if (!add_terms(sum, equation.left, 1) || !add_terms(sum, equation.right, -1)) return false;
  std::erase_if(sum.terms, [](const auto& term) { return term.second == 0; });
  if (sum.terms.empty()) {
    if (graph.is_constant(sum.rest) && std::fabs(graph.node(sum.rest).value) <= 1e-12) return true;
    contradiction(equation,
                  "no variable is left in it, and its sides differ by " + graph.text(sum.rest));
    return true;
  }
  if (sum.terms.size() > 2) return false;
  const auto [a, sign_a] = *sum.terms.begin();
  const auto [b, sign_b] = *sum.terms.rbegin();
  if (std::abs(sign_a) != 1 || std::abs(sign_b) != 1) return false;
  if (sum.terms.size() == 1) {
    if (variable(a)->is_given())
      return contradiction(equation, variable(a)->is_held ? "it sets what events set"
                                                          : "it sets an input of the model"),
             true;
    set(a, sign_a > 0 ? graph.neg(sum.rest) : sum.rest, equation);
    return true;
  }
  if (!graph.is_constant(sum.rest, 0.0)) return false;
  const int sign = sign_a == sign_b ? -1 : 1;
  if (variable(a)->is_given() && variable(b)->is_given())
    return contradiction(equation, "it equates two inputs of the model, or what events set"), true;
  if (rank(a) < rank(b))
    alias(a, sign, b, equation);
  else
    alias(b, sign, a, equation);
  return true;
}

void AliasElimination::contradiction(const ScalarEquation& equation, const std::string& message) {
  diagnostics_.error("D026", equation.where, equation.origin + ": " + message,
                     "equations must determine each variable once");
}

/// What is kept: what the modeller wants as a state, what is differentiated, what has a start
/// value.
double AliasElimination::rank(SymbolId symbol) const {
  const ScalarVariable& each = *variable(symbol);
  if (each.declared == nullptr) return -1e6;
  double made = 0.0;
  if (each.is_given()) made += 1e6;
  if (each.fixed) made += 40.0;
  if (model_.derivatives.contains(symbol)) made += 10.0;
  if (each.start) made += model_.graph.is_constant(*each.start, 0.0) ? 5.0 : 15.0;
  switch (each.declared->state_select) {
    case StateSelect::always:
      made += 60.0;
      break;
    case StateSelect::prefer:
      made += 30.0;
      break;
    case StateSelect::avoid:
      made -= 5.0;
      break;
    case StateSelect::never:
      made -= 10.0;
      break;
    case StateSelect::none:
      break;
  }
  return made - 0.01 * static_cast<double>(std::count(each.name.begin(), each.name.end(), '.'));
}

SymbolId AliasElimination::rate_of(SymbolId symbol) {
  const auto found = model_.derivatives.find(symbol);
  if (found != model_.derivatives.end()) return found->second;
  const SymbolId made =
      model_.graph.make_symbol("der(" + model_.graph.symbol(symbol).path + ")", "1");
  model_.derivatives[symbol] = made;
  return made;
}

void AliasElimination::alias(SymbolId gone, int sign, SymbolId kept,
                             const ScalarEquation& equation) {
  Graph& graph = model_.graph;
  aliases_[gone] = {.sign = sign, .target = kept, .value = {}};
  keep_start(*variable(kept), *variable(gone), sign, equation);
  const auto rate = model_.derivatives.find(gone);
  if (rate == model_.derivatives.end()) return;
  const Expr kept_rate = graph.use(rate_of(kept));
  replacements_[rate->second] = sign > 0 ? kept_rate : graph.neg(kept_rate);
}

void AliasElimination::set(SymbolId gone, Expr value, const ScalarEquation& equation) {
  aliases_[gone] = {.sign = 1, .target = std::nullopt, .value = value};
  const ScalarVariable& variable_gone = *variable(gone);
  if (variable_gone.fixed && variable_gone.start && *variable_gone.start != value)
    contradiction(equation, "'" + variable_gone.name + "' is " + model_.graph.text(value) +
                                ", and its start value is fixed to " +
                                model_.graph.text(*variable_gone.start));
  if (const auto rate = model_.derivatives.find(gone); rate != model_.derivatives.end())
    replacements_[rate->second] = model_.graph.zero();
}

void AliasElimination::keep_start(ScalarVariable& kept, const ScalarVariable& gone, int sign,
                                  const ScalarEquation& equation) {
  if (!gone.start && !gone.fixed) return;
  Graph& graph = model_.graph;
  const Expr given = gone.start.value_or(graph.zero());
  const Expr start = sign > 0 ? given : graph.neg(given);
  if (kept.fixed && gone.fixed && kept.start.value_or(graph.zero()) != start) {
    contradiction(equation, "'" + kept.name + "' and '" + gone.name +
                                "' are the same but for their sign, and have fixed start values " +
                                graph.text(kept.start.value_or(graph.zero())) + " and " +
                                graph.text(start));
    return;
  }
  if (kept.fixed) return;
  if (gone.fixed || !kept.start || (graph.is_constant(*kept.start, 0.0) && gone.start)) {
    kept.start = start;
    kept.fixed = gone.fixed;
  }
}

}  // namespace takt::codegen::modelica
