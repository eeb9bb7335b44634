#include "codegen/dae/algebra/cramer.hpp"

namespace takt::codegen {

namespace {

/// Determinant of the rows from `row` on in the columns of the mask, by expansion along that row.
Expr determinant(Graph& graph, const std::vector<std::vector<Expr>>& matrix, std::size_t row,
                 unsigned columns) {
  if (columns == 0) return graph.one();
  Expr sum = graph.zero();
  bool negative = false;
  for (std::size_t column = 0; column < matrix.size(); ++column) {
    if ((columns >> column & 1U) == 0) continue;
    if (!graph.is_constant(matrix[row][column], 0.0)) {
      const Expr term = graph.mul(matrix[row][column],
                                  determinant(graph, matrix, row + 1, columns & ~(1U << column)));
      sum = negative ? graph.sub(sum, term) : graph.add(sum, term);
    }
    negative = !negative;
  }
  return sum;
}

}  // namespace

std::optional<std::vector<Expr>> solve_by_determinants(Graph& graph, const LinearSystem& system) {
  const std::size_t n = system.right.size();
  const unsigned all = (1U << n) - 1;
  const Expr whole = determinant(graph, system.matrix, 0, all);
  if (graph.is_constant(whole, 0.0)) return std::nullopt;
  const Expr inverse = graph.div(graph.one(), whole);
  std::vector<Expr> solution;
  for (std::size_t column = 0; column < n; ++column) {
    auto replaced = system.matrix;
    for (std::size_t row = 0; row < n; ++row) replaced[row][column] = system.right[row];
    solution.push_back(graph.mul(determinant(graph, replaced, 0, all), inverse));
  }
  return solution;
}

}  // namespace takt::codegen
