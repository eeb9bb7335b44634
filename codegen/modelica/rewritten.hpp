#pragma once
// An expression with some of its nodes replaced.

#include <unordered_map>

#include "codegen/expr/expr.hpp"

namespace takt::codegen::modelica {

/// From the leaves up: `instead(e, node)` is what stands for e, or nothing where e stays what it
/// is; node is that of e with what has been put in for its operands.
template <class Instead>
[[nodiscard]] Expr rewritten(Graph& graph, Expr root, const Instead& instead) {
  std::unordered_map<Expr, Expr> made;
  for (const Expr e : graph.reachable({root})) {
    Node node = graph.node(e);
    const int operands = Graph::arity(node.op);
    if (operands > 0) node.a = made.at(node.a);
    if (operands > 1) node.b = made.at(node.b);
    if (operands > 2) node.c = made.at(node.c);
    if (const auto other = instead(e, node))
      made[e] = *other;
    else
      made[e] = operands == 0 ? e : graph.rebuild(node, node.a, node.b, node.c);
  }
  return made.at(root);
}

}  // namespace takt::codegen::modelica
