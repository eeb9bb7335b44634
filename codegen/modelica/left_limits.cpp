#include "codegen/modelica/left_limits.hpp"

#include <algorithm>

namespace takt::codegen::modelica {
namespace {

/// Of what depends on the time and parameters alone, how it changes; 0 where that is not constant.
double slope(ScalarModel& model, Expr e) {
  Graph& graph = model.graph;
  const auto of_parameters = [&](Expr each) {
    const auto symbols = graph.symbols_of(each);
    return std::all_of(symbols.begin(), symbols.end(),
                       [&](SymbolId symbol) { return model.parameters.contains(symbol); });
  };
  if (!graph.depends_on(e, model.time)) return 0.0;
  const auto symbols = graph.symbols_of(e);
  if (!std::all_of(symbols.begin(), symbols.end(), [&](SymbolId symbol) {
        return symbol == model.time || model.parameters.contains(symbol);
      }))
    return 0.0;
  const Expr rate = graph.differentiate(e, model.time);
  return of_parameters(rate) ? parameter_value(model, rate) : 0.0;
}

}  // namespace

Expr left_limit(ScalarModel& model, Expr root) {
  Graph& graph = model.graph;
  std::unordered_map<Expr, Expr> made;
  for (const Expr e : graph.reachable({root})) {
    const Node node = graph.node(e);
    const auto part = [&](Expr operand, int k) {
      return k < Graph::arity(node.op) ? made.at(operand) : operand;
    };
    if (node.op == Op::less || node.op == Op::less_equal) {
      const double change = slope(model, graph.sub(node.a, node.b));
      const bool strict = node.op == Op::less_equal ? change < 0.0 : change <= 0.0;
      made[e] = graph.binary(change == 0.0 ? node.op
                             : strict      ? Op::less
                                           : Op::less_equal,
                             made.at(node.a), made.at(node.b));
      continue;
    }
    made[e] = Graph::arity(node.op) == 0
                  ? e
                  : graph.rebuild(node, part(node.a, 0), part(node.b, 1), part(node.c, 2));
  }
  return made.at(root);
}

}  // namespace takt::codegen::modelica
