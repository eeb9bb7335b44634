#include "codegen/reference/total_rate.hpp"

namespace takt::codegen {

std::optional<Expr> RateRules::of(Graph& graph, const Network& network, SymbolId symbol) {
  if (symbol == network.time) return graph.one();
  if (const auto rate = rate_of.find(symbol); rate != rate_of.end()) return rate->second;
  const auto inverse = inverse_of.find(symbol);
  const auto value = value_of.find(symbol);
  if (inverse == inverse_of.end() && value == value_of.end())
    return others.contains(symbol) ? std::nullopt : std::optional(graph.zero());
  if (!in_progress_.insert(symbol).second) return std::nullopt;
  std::optional<Expr> result;
  if (value != value_of.end()) {
    result = of(graph, network, value->second, std::nullopt);
  } else if (const auto rest =
                 of(graph, network, inverse->second.law, symbol)) {  // z' = dlaw/dx*x' + rest
    result = graph.div(graph.sub(rate_of.at(inverse->second.of), *rest),
                       graph.differentiate(inverse->second.law, symbol));
  }
  in_progress_.erase(symbol);
  return result;
}

std::optional<Expr> RateRules::of(Graph& graph, const Network& network, Expr expression,
                                  std::optional<SymbolId> except) {
  Expr sum = graph.zero();
  for (const SymbolId symbol : graph.symbols_of(expression)) {
    if (except == symbol) continue;
    const Expr slope = graph.differentiate(expression, symbol);
    if (graph.is_constant(slope, 0.0)) continue;
    const auto rate = of(graph, network, symbol);
    if (!rate) return std::nullopt;
    sum = graph.add(sum, graph.mul(slope, *rate));
  }
  return sum;
}

}  // namespace takt::codegen
