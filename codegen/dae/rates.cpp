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
    if (!solve(*block->second))
      unavailable_.insert(block->second->unknowns.begin(), block->second->unknowns.end());
    return of(symbol);
  }
  const auto definition = assigned_.find(symbol);
  if (definition == assigned_.end()) return graph_.zero();
  const auto rate = of_expression(definition->second);
  if (rate) rate_[symbol] = *rate;
  return rate;
}

bool TimeDerivative::solve_over_tables(const NewtonBlock& block) {
  AlgebraicStep step;
  step.kind = AlgebraicStep::Kind::linear;
  step.newton.linear = block.linear;
  for (Expr& right : step.newton.linear->right) {
    const auto driven = of_expression(right);
    if (!driven) return false;
    right = *driven;
  }
  for (const SparseEntry& entry : block.linear->matrix) {
    const auto moved = of_expression(entry.value);
    if (!moved) return false;
    Expr& right = step.newton.linear->right[entry.row];
    right = graph_.sub(right, graph_.mul(*moved, graph_.use(block.unknowns[entry.column])));
  }
  for (const SymbolId unknown : block.unknowns) make_rate(unknown, step);
  for (const Expr right : step.newton.linear->right)
    step.newton.residuals.push_back(graph_.neg(right));
  for (const SparseEntry& entry : block.linear->matrix) {
    Expr& residual = step.newton.residuals[entry.row];
    residual = graph_.add(residual,
                          graph_.mul(entry.value, graph_.use(step.newton.unknowns[entry.column])));
  }
  blocks_.push_back(std::move(step));
  return true;
}

SymbolId TimeDerivative::make_rate(SymbolId unknown, AlgebraicStep& step) {
  const Symbol& symbol = graph_.symbol(unknown);
  const SymbolId rate = graph_.find_or_make_symbol(symbol.path + ".block_rate", symbol.unit + "/s");
  step.newton.unknowns.push_back(rate);
  rate_[unknown] = graph_.use(rate);
  return rate;
}

/// Conductances: i' = g*v' + (i0' + g'*v).
bool TimeDerivative::solve_network(const NewtonBlock& block) {
  AlgebraicStep step;
  step.kind = AlgebraicStep::Kind::flows;
  step.newton.flows = block.flows;
  FlowTables& flows = *step.newton.flows;
  for (std::size_t node = 0; node < flows.injected.size(); ++node) {
    const auto driven = of_expression(flows.injected[node]);
    if (!driven) return false;
    flows.injected[node] = *driven;
    flows.guesses[node] = graph_.zero();
  }
  for (FlowEdge& edge : flows.edges) {
    const auto offset = of_expression(edge.offset), g = of_expression(edge.coefficients[0]),
               current = of_expression(edge.coefficients[1]);
    if (!offset || !g || !current) return false;
    edge.offset = *offset;
    edge.coefficients[1] = graph_.add(*current, graph_.mul(*g, graph_.use(edge.across)));
  }
  for (SymbolId& potential : flows.potentials) potential = make_rate(potential, step);
  for (FlowEdge& edge : flows.edges) {
    edge.across = make_rate(edge.across, step);
    edge.through = make_rate(edge.through, step);
  }
  finish(graph_, flows);
  step.newton.residuals = residuals_of(graph_, flows);
  blocks_.push_back(std::move(step));
  return true;
}

bool TimeDerivative::solve(const NewtonBlock& block) {
  if (block.linear) return solve_over_tables(block);
  if (block.flows) return block.flows->linear && solve_network(block);
  const std::unordered_set<SymbolId> unknowns(block.unknowns.begin(), block.unknowns.end());
  LinearSystem system;
  for (const Expr residual : block.residuals) {
    std::vector<Expr> row;
    for (const SymbolId unknown : block.unknowns)
      row.push_back(graph_.differentiate(residual, unknown));
    const auto driven = of_expression(residual, &unknowns);
    if (!driven) return false;
    system.matrix.push_back(std::move(row));
    system.right.push_back(graph_.neg(*driven));
  }
  const auto rates = eliminate(graph_, system, {.parameters = parameters_});
  if (!rates) return false;
  for (std::size_t k = 0; k < block.unknowns.size(); ++k)
    rate_[block.unknowns[k]] = rates->solution[k];
  return true;
}

bool TimeDerivative::is_held(SymbolId symbol) const {
  return !rate_.contains(symbol) && !assigned_.contains(symbol) && !block_of_.contains(symbol) &&
         !unavailable_.contains(symbol);
}

std::optional<Expr> TimeDerivative::of_expression(Expr expression,
                                                  const std::unordered_set<SymbolId>* without) {
  Expr sum = graph_.zero();
  for (const SymbolId symbol : graph_.symbols_of(expression)) {
    if (without != nullptr && without->contains(symbol)) continue;
    if (is_held(symbol)) continue;
    const Expr partial = graph_.differentiate(expression, symbol);
    if (graph_.is_constant(partial, 0.0)) continue;
    const auto rate = of(symbol);
    if (!rate) return std::nullopt;
    sum = graph_.add(sum, graph_.mul(partial, *rate));
  }
  return sum;
}

}  // namespace takt::codegen
