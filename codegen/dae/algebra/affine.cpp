#include "codegen/dae/algebra/affine.hpp"

#include <algorithm>
#include <unordered_map>

namespace takt::codegen {

namespace {

class AffineMaps {
 public:
  AffineMaps(Graph& graph, const EquationSystem& system, const std::unordered_set<SymbolId>& fixed,
             const std::vector<SymbolId>& rows, const std::vector<AlgebraicStep>& algebra)
      : graph_(graph), fixed_(fixed) {
    std::unordered_set<SymbolId> outcome(
        rows.begin(), rows.end());  // potentials, rows, and what is computed from them
    for (const ConductanceEdge& edge : system.edges)
      for (const auto& end : {edge.from, edge.to})
        if (end) outcome.insert(*end);
    for (const AlgebraicStep& step : algebra) {
      if (step.kind != AlgebraicStep::Kind::assignment) continue;
      const Assignment& assignment = step.assignment;
      for (const SymbolId read : graph.symbols_of(assignment.value))
        if (outcome.contains(read)) outcome.insert(assignment.symbol);
      if (outcome.contains(assignment.symbol))
        solved_[assignment.symbol] = graph.substitute(assignment.value, solved_);
      if (all_fixed(graph.symbols_of(assignment.value))) fixed_.insert(assignment.symbol);
    }
  }

  std::optional<AffineRows> run(const std::vector<SymbolId>& rows) {
    AffineRows result;
    result.rows = rows;
    std::vector<Expr> values;
    for (const SymbolId row : rows) {
      const auto found = solved_.find(row);
      if (found == solved_.end()) return std::nullopt;
      values.push_back(found->second);
    }
    for (const SymbolId symbol : graph_.symbols_of(values))
      if (!fixed_.contains(symbol)) result.columns.push_back(symbol);
    std::size_t products = 0;
    for (const Expr value : values)
      if (!add_row(value, result, products)) return std::nullopt;
    // An elimination is a chain in which every operation waits for the one before; products run
    // side by side.
    if (rows.empty() || result.columns.empty()) return std::nullopt;
    result.cheaper = products <= 2 * operations(values);
    return result;
  }

 private:
  bool all_fixed(const std::vector<SymbolId>& symbols) const {
    return std::all_of(symbols.begin(), symbols.end(),
                       [&](SymbolId symbol) { return fixed_.contains(symbol); });
  }

  bool add_row(Expr value, AffineRows& result, std::size_t& products) {
    std::vector<Expr> row;
    for (const SymbolId column : result.columns) {
      Expr coefficient{}, rest{};
      if (!graph_.split_linear(value, column, coefficient, rest) ||
          !all_fixed(graph_.symbols_of(coefficient)))
        return false;
      row.push_back(coefficient);
      products += graph_.is_constant(coefficient, 0.0) ? 0u : 1u;
      value = rest;
    }
    result.coefficients.push_back(std::move(row));
    result.offsets.push_back(value);
    return true;
  }

  /// Operations among these expressions that are left to the micro-step.
  std::size_t operations(const std::vector<Expr>& roots) {
    std::size_t count = 0;
    std::unordered_map<Expr, bool> moves;
    for (const Expr e : graph_.reachable(roots)) {
      const Node& node = graph_.node(e);
      bool any = node.op == Op::symbol && !fixed_.contains(SymbolId{node.payload});
      const Expr operands[3] = {node.a, node.b, node.c};
      for (int k = 0; k < Graph::arity(node.op); ++k) any = any || moves[operands[k]];
      moves[e] = any;
      count += any && node.op != Op::symbol ? 1u : 0u;
    }
    return count;
  }

  Graph& graph_;
  std::unordered_set<SymbolId> fixed_;
  std::unordered_map<SymbolId, Expr> solved_;  ///< solved_: the outcome over what moves
};

}  // namespace

std::optional<AffineRows> affine_rows(Graph& graph, const EquationSystem& system,
                                      const std::unordered_set<SymbolId>& fixed,
                                      const std::vector<SymbolId>& rows,
                                      const std::vector<AlgebraicStep>& algebra) {
  return AffineMaps(graph, system, fixed, rows, algebra).run(rows);
}

}  // namespace takt::codegen
