#include "codegen/modelica/left_limits.hpp"

#include <algorithm>
#include <optional>

#include "codegen/modelica/rewritten.hpp"

namespace takt::codegen::modelica {
namespace {

/// Of what depends on the time and parameters alone, how it changes; 0 where that is not constant.
double slope(ScalarModel& model, Expr e) {
  Graph& graph = model.graph;
  if (!graph.depends_on(e, model.time)) return 0.0;
  const auto symbols = graph.symbols_of(e);
  if (!std::all_of(symbols.begin(), symbols.end(), [&](SymbolId symbol) {
        return symbol == model.time || model.parameters.contains(symbol);
      }))
    return 0.0;
  const Expr rate = graph.differentiate(e, model.time);
  return is_of_parameters(model, rate) ? parameter_value(model, rate) : 0.0;
}

}  // namespace

Expr left_limit(ScalarModel& model, Expr root) {
  Graph& graph = model.graph;
  return rewritten(graph, root, [&](Expr e, const Node& node) -> std::optional<Expr> {
    if (node.op != Op::less && node.op != Op::less_equal) return std::nullopt;
    const Node given = graph.node(e);
    const double change = slope(model, graph.sub(given.a, given.b));
    if (change == 0.0) return std::nullopt;
    return graph.binary(change < 0.0 ? Op::less : Op::less_equal, node.a, node.b);
  });
}

}  // namespace takt::codegen::modelica
