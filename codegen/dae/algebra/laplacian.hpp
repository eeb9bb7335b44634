#pragma once
// Potentials of a network of conductances by star-mesh elimination: straight-line, order fixed at
// generation.

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "codegen/expr/expr.hpp"

namespace takt::codegen {

/// Network of conductances. Nodes have unknown potentials u; known ones are 0 (what they are stands
/// in sources). Between two nodes flows  i_ab = g_ab*(u_a - u_b) - source_ab,  and  sum_b i_ab +
/// ground_a*u_a = right_a.
///
/// Sources between nodes stay with their conductance through the elimination, weighted by shares
/// between 0 and 1: as pairs of currents into nodes they would leave their rounding where a part of
/// the network hangs on 1e-12 S alone.
class Laplacian {
 public:
  using Node = std::optional<std::size_t>;  ///< nothing: a known potential
  struct Ends {
    Node from, to;
  };
  /// u_node = sum of coefficient*u of other nodes + ground*(a known potential), lossless: the side
  /// of an ideal two-port. The coefficients, ground's among them, sum to 1.
  struct Constraint {
    std::size_t node = 0;
    std::vector<std::pair<std::size_t, double>> terms;
    double ground = 0.0;
  };

  Laplacian(Graph& graph, std::size_t nodes);

  /// A branch  i = conductance*(u_from - u_to) - source,  beside what is there.
  void join(const Ends& ends, Expr conductance, Expr source);
  /// Two branches of which each carries conductance * (voltage of the other) more: coupled
  /// inductors.
  void couple(const Ends& one, const Ends& other, Expr conductance);
  /// @pre no node of the terms is constrained itself
  void constrain(Constraint constraint);
  /// A current into a node.
  void inject(std::size_t node, Expr current);

  /// u as expressions. Diagonals stay sums of conductances, nothing positive is ever subtracted, so
  /// 1e-12 S beside 200 S survives; what two-ports and couplings tie together is left to the end.
  /// Source: the GTH rule, W. Grassmann et al., Oper. Res. 33 (1985).
  [[nodiscard]] std::vector<Expr> solve() &&;

 private:
  struct Link {
    Expr conductance, source;
  };  ///< as seen from the row's node: the source changes its sign
  using Row =
      std::map<std::size_t, Link>;  ///< to nodes that are not eliminated before the row's own

  [[nodiscard]] std::vector<std::size_t> neighbours(std::size_t node) const;
  Link& link(std::size_t a, std::size_t b);
  void finish(std::size_t node);
  [[nodiscard]] bool is_zero(Expr e) const { return graph_.is_constant(e, 0.0); }
  void add_conductance(Node a, Node b, Expr conductance);
  void add_source(std::size_t a, std::size_t b, Expr source);
  void tie(Node node);
  void eliminate(bool tied);
  void remove(std::size_t node);
  void substitute(const Constraint& constraint);
  void spread(const std::vector<std::pair<std::size_t, double>>& row, double ground,
              Expr conductance);

  Graph& graph_;
  std::vector<Row> links_;                      // [n] symmetric conductances, antisymmetric sources
  std::vector<Expr> ground_, right_, inverse_;  // [n]
  std::vector<bool> tied_, done_;
  std::vector<Constraint> constraints_;
  std::vector<std::size_t>
      order_;  ///< of elimination; constrained nodes stand where they were substituted
};

}  // namespace takt::codegen
