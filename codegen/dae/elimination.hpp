#pragma once
// Symbolic Gaussian elimination: straight-line, pivots fixed at generation.

#include <optional>
#include <vector>

#include "codegen/expr/expr.hpp"

namespace takt::codegen {

/// Dense system matrix * x = right with expressions as entries.
struct LinearSystem {
  std::vector<std::vector<Expr>> matrix;  // [n x n]
  std::vector<Expr> right;                // [n]
};

/// Linear form of residuals in the unknowns; nullopt where one is not linear.
[[nodiscard]] std::optional<LinearSystem> as_linear(Graph& graph, const std::vector<Expr>& residuals, const std::vector<SymbolId>& unknowns);

/// x as expressions. Pivots: diagonal entries first, by least fill (Markowitz); off-diagonal where the diagonal is zero.
/// @return nullopt where no nonzero pivot is left (structurally singular)
[[nodiscard]] std::optional<std::vector<Expr>> eliminate(Graph& graph, LinearSystem system);

/// Network of conductances: potentials u with  sum_j g_kj (u_k - u_j - emf_kj) + ground_k u_k = right_k.
struct Laplacian {
  explicit Laplacian(Graph& graph, std::size_t n);
  /// Adds a conductance in series with a voltage between two nodes, beside what is there.
  void join(Graph& graph, std::size_t from, std::size_t to, Expr added, Expr voltage);

  std::vector<std::vector<Expr>> conductance;  // [n x n], symmetric, diagonal unused
  std::vector<std::vector<Expr>> emf;          // [n x n], antisymmetric: voltage in series with the conductance
  std::vector<Expr> ground;                    // [n] conductance to known potentials
  std::vector<Expr> right;                     // [n]
};

/// u as expressions, by star-mesh elimination: diagonals stay sums of conductances, nothing positive is ever subtracted,
/// so 1e-12 S beside 200 S survives. Sources between nodes stay voltages in series, whose means are weighted: as pairs of currents
/// they would leave their rounding where a part hangs on 1e-12 S alone. Source: the GTH rule, W. Grassmann et al., Oper. Res. 33 (1985), for Laplacians.
[[nodiscard]] std::vector<Expr> eliminate(Graph& graph, Laplacian network);

}  // namespace takt::codegen
