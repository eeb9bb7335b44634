#include "codegen/dae/elimination.hpp"

#include <algorithm>

namespace takt::codegen {

std::optional<LinearSystem> as_linear(Graph& graph, const std::vector<Expr>& residuals, const std::vector<SymbolId>& unknowns) {
  LinearSystem system;
  for (const Expr residual : residuals) {
    std::vector<Expr> row;
    Expr rest = residual;
    for (const SymbolId unknown : unknowns) {
      Expr coefficient{}, remainder{};
      if (!graph.split_linear(rest, unknown, coefficient, remainder)) return std::nullopt;
      for (const SymbolId other : unknowns)
        if (graph.depends_on(coefficient, other)) return std::nullopt;
      row.push_back(coefficient);
      rest = remainder;
    }
    system.matrix.push_back(std::move(row));
    system.right.push_back(graph.neg(rest));
  }
  return system;
}

namespace {

struct Pivot {
  std::size_t row, column;
};

/// Least (row count - 1) * (column count - 1) among the diagonal of what is left, else among all entries.
std::optional<Pivot> choose_pivot(const Graph& graph, const LinearSystem& system, const std::vector<bool>& row_done, const std::vector<bool>& column_done) {
  const std::size_t n = system.right.size();
  std::vector<std::size_t> in_row(n, 0), in_column(n, 0);
  const auto live = [&](std::size_t row, std::size_t column) {
    return !row_done[row] && !column_done[column] && !graph.is_constant(system.matrix[row][column], 0.0);
  };
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t column = 0; column < n; ++column)
      if (live(row, column)) ++in_row[row], ++in_column[column];
  std::optional<Pivot> best;
  std::size_t best_cost = 0;
  for (const bool diagonal : {true, false}) {
    for (std::size_t row = 0; row < n; ++row)
      for (std::size_t column = 0; column < n; ++column) {
        if (diagonal != (row == column) || !live(row, column)) continue;
        const std::size_t cost = (in_row[row] - 1) * (in_column[column] - 1);
        if (!best || cost < best_cost) best = Pivot{row, column}, best_cost = cost;
      }
    if (best) return best;
  }
  return best;
}

}  // namespace

std::optional<std::vector<Expr>> eliminate(Graph& graph, LinearSystem system) {
  const std::size_t n = system.right.size();
  std::vector<bool> row_done(n, false), column_done(n, false);
  std::vector<Pivot> order;
  std::vector<Expr> inverse;
  for (std::size_t step = 0; step < n; ++step) {
    const auto pivot = choose_pivot(graph, system, row_done, column_done);
    if (!pivot) return std::nullopt;
    row_done[pivot->row] = column_done[pivot->column] = true;
    order.push_back(*pivot);
    inverse.push_back(graph.div(graph.one(), system.matrix[pivot->row][pivot->column]));
    for (std::size_t row = 0; row < n; ++row) {
      if (row_done[row] || graph.is_constant(system.matrix[row][pivot->column], 0.0)) continue;
      const Expr factor = graph.mul(system.matrix[row][pivot->column], inverse.back());
      for (std::size_t column = 0; column < n; ++column)
        if (!column_done[column] && !graph.is_constant(system.matrix[pivot->row][column], 0.0))
          system.matrix[row][column] = graph.sub(system.matrix[row][column], graph.mul(factor, system.matrix[pivot->row][column]));
      system.right[row] = graph.sub(system.right[row], graph.mul(factor, system.right[pivot->row]));
    }
  }
  std::vector<Expr> solution(n, graph.zero());
  for (std::size_t step = n; step-- > 0;) {
    Expr sum = system.right[order[step].row];
    for (std::size_t later = step + 1; later < n; ++later)
      sum = graph.sub(sum, graph.mul(system.matrix[order[step].row][order[later].column], solution[order[later].column]));
    solution[order[step].column] = graph.mul(sum, inverse[step]);
  }
  return solution;
}

}  // namespace takt::codegen
