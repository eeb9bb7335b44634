#pragma once
// and, or, not of conditions, without those that are known.

#include "codegen/modelica/scalar_model.hpp"

namespace takt::codegen::modelica {

[[nodiscard]] inline bool is_known(const Graph& graph, Expr e, bool truth) {
  return graph.is_constant(e) && (graph.node(e).value > 0.5) == truth;
}
[[nodiscard]] inline Expr both(Graph& graph, Expr a, Expr b) {
  if (is_known(graph, a, true) || is_known(graph, b, false)) return b;
  return is_known(graph, a, false) || is_known(graph, b, true) || a == b
             ? a
             : graph.binary(Op::logical_and, a, b);
}
[[nodiscard]] inline Expr either(Graph& graph, Expr a, Expr b) {
  if (is_known(graph, a, false) || is_known(graph, b, true)) return b;
  return is_known(graph, a, true) || is_known(graph, b, false) || a == b
             ? a
             : graph.binary(Op::logical_or, a, b);
}
[[nodiscard]] inline Expr opposite(Graph& graph, Expr a) {
  if (graph.is_constant(a)) return graph.constant(is_known(graph, a, true) ? 0.0 : 1.0);
  const Node node = graph.node(a);
  return node.op == Op::logical_not ? node.a : graph.unary(Op::logical_not, a);
}

}  // namespace takt::codegen::modelica
