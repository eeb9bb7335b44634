#include "codegen/dae/rates.hpp"

#include "codegen/dae/algebra/elimination.hpp"

namespace takt::codegen {

TimeDerivative::TimeDerivative(const Network& network, const std::vector<SurrogateState>& states,
                               const SortedAlgebra& algebra, const SymbolMap<double>* parameters)
    : graph_(network.graph()), parameters_(parameters) {
  for (const AlgebraicStep& step : algebra.early) {
    if (step.kind == AlgebraicStep::Kind::assignment)
      assigned_[step.assignment.symbol] = step.assignment.value;
    else
      for (const SymbolId unknown : step.newton.unknowns) block_of_[unknown] = &step.newton;
  }
  for (const AlgebraicStep& step : algebra.late) {
    if (step.kind == AlgebraicStep::Kind::assignment) unavailable_.insert(step.assignment.symbol);
    unavailable_.insert(step.newton.unknowns.begin(), step.newton.unknowns.end());
  }
  rate_[network.time] = graph_.one();
  for (const SurrogateState& state : states) {
    bool available = true;
    for (const SymbolId symbol : graph_.symbols_of(state.derivative))
      available = available && !unavailable_.contains(symbol);
    if (available)
      rate_[state.symbol] = state.derivative;
    else
      unavailable_.insert(state.symbol);
  }
}

std::optional<Expr> TimeDerivative::of(SymbolId symbol) {
  if (const auto known = rate_.find(symbol); known != rate_.end()) return known->second;
  if (unavailable_.contains(symbol)) return std::nullopt;
  if (const auto block = block_of_.find(symbol); block != block_of_.end()) {
    if (!solve(*block->second)) unavailable_.insert(block->second->unknowns.begin(), block->second->unknowns.end());
    return of(symbol);
  }
  const auto definition = assigned_.find(symbol);
  if (definition == assigned_.end()) return graph_.zero();
  const auto rate = of_expression(definition->second);
  if (rate) rate_[symbol] = *rate;
  return rate;
}

bool TimeDerivative::solve(const NewtonBlock& block) {
  const std::unordered_set<SymbolId> unknowns(block.unknowns.begin(), block.unknowns.end());
  LinearSystem system;
  for (const Expr residual : block.residuals) {
    std::vector<Expr> row;
    for (const SymbolId unknown : block.unknowns) row.push_back(graph_.differentiate(residual, unknown));
    const auto driven = of_expression(residual, &unknowns);
    if (!driven) return false;
    system.matrix.push_back(std::move(row));
    system.right.push_back(graph_.neg(*driven));
  }
  const auto rates = eliminate(graph_, system, parameters_);
  if (!rates) return false;
  for (std::size_t k = 0; k < block.unknowns.size(); ++k) rate_[block.unknowns[k]] = rates->solution[k];
  return true;
}

std::optional<Expr> TimeDerivative::of_expression(Expr expression, const std::unordered_set<SymbolId>* without) {
  Expr sum = graph_.zero();
  for (const SymbolId symbol : graph_.symbols_of(expression)) {
    if (without != nullptr && without->contains(symbol)) continue;
    const Expr partial = graph_.differentiate(expression, symbol);
    if (graph_.is_constant(partial, 0.0)) continue;
    const auto rate = of(symbol);
    if (!rate) return std::nullopt;
    sum = graph_.add(sum, graph_.mul(partial, *rate));
  }
  return sum;
}

}  // namespace takt::codegen
