#include "codegen/dae/rates.hpp"

namespace takt::codegen {

TimeDerivative::TimeDerivative(Graph& graph, SymbolId time, const std::vector<SurrogateState>& states, const std::vector<AlgebraicStep>& early,
                               const std::vector<AlgebraicStep>& late)
    : graph_(graph) {
  for (const AlgebraicStep& step : early) {
    if (step.kind == AlgebraicStep::Kind::assignment)
      assigned_[step.assignment.symbol] = step.assignment.value;
    else
      unavailable_.insert(step.newton.unknowns.begin(), step.newton.unknowns.end());
  }
  for (const AlgebraicStep& step : late) {
    if (step.kind == AlgebraicStep::Kind::assignment) unavailable_.insert(step.assignment.symbol);
    unavailable_.insert(step.newton.unknowns.begin(), step.newton.unknowns.end());
  }
  rate_[time] = graph.one();
  for (const SurrogateState& state : states) {
    bool available = true;
    for (const SymbolId symbol : graph.symbols_of(state.derivative)) available = available && !unavailable_.contains(symbol);
    if (available)
      rate_[state.symbol] = state.derivative;
    else
      unavailable_.insert(state.symbol);
  }
}

std::optional<Expr> TimeDerivative::of(SymbolId symbol) {
  if (const auto known = rate_.find(symbol); known != rate_.end()) return known->second;
  if (unavailable_.contains(symbol)) return std::nullopt;
  const auto definition = assigned_.find(symbol);
  if (definition == assigned_.end()) return graph_.zero();
  const auto rate = of_expression(definition->second);
  if (rate) rate_[symbol] = *rate;
  return rate;
}

std::optional<Expr> TimeDerivative::of_expression(Expr expression) {
  Expr sum = graph_.zero();
  for (const SymbolId symbol : graph_.symbols_of(expression)) {
    const Expr partial = graph_.differentiate(expression, symbol);
    if (graph_.is_constant(partial, 0.0)) continue;
    const auto rate = of(symbol);
    if (!rate) return std::nullopt;
    sum = graph_.add(sum, graph_.mul(partial, *rate));
  }
  return sum;
}

}  // namespace takt::codegen
