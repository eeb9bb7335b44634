// Finds what is constant during a run.

#include <algorithm>

#include "codegen/expr/print.hpp"

namespace takt::codegen {
namespace {

bool is_trivial(const Graph& graph, Expr e) {
  const Node& n = graph.node(e);
  return n.op == Op::constant || n.op == Op::symbol || (n.op == Op::neg && graph.node(n.a).op == Op::symbol);
}

}  // namespace

Hoisted hoist(Graph& graph, const std::vector<Expr>& roots, const std::function<bool(SymbolId)>& is_constant,
              const std::string& prefix) {
  const std::vector<Expr> walk = graph.reachable(roots);
  const auto position = [&](Expr e) {
    return static_cast<std::size_t>(std::lower_bound(walk.begin(), walk.end(), e) - walk.begin());
  };
  std::vector<bool> fixed(walk.size()), wanted(walk.size());
  for (std::size_t at = 0; at < walk.size(); ++at) {
    const Node& n = graph.node(walk[at]);
    const int operands = Graph::arity(n.op);
    const std::array<Expr, 3> children{n.a, n.b, n.c};
    bool all = n.op != Op::symbol || is_constant(static_cast<SymbolId>(n.payload));
    for (int k = 0; k < operands; ++k) all = all && fixed[position(children[static_cast<std::size_t>(k)])];
    fixed[at] = all;
    if (all) continue;
    for (int k = 0; k < operands; ++k) {
      const std::size_t child = position(children[static_cast<std::size_t>(k)]);
      wanted[child] = wanted[child] || fixed[child];
    }
  }
  for (const Expr root : roots) wanted[position(root)] = wanted[position(root)] || fixed[position(root)];

  Hoisted result;
  std::vector<Expr> changed = walk;
  for (std::size_t at = 0; at < walk.size(); ++at) {
    if (wanted[at] && !is_trivial(graph, walk[at])) {
      const SymbolId symbol = graph.make_symbol(prefix + std::to_string(result.constants.size()), "");
      result.constants.push_back({symbol, walk[at]});
      changed[at] = graph.use(symbol);
      continue;
    }
    const Node n = graph.node(walk[at]);
    const int operands = Graph::arity(n.op);
    if (fixed[at] || operands == 0) continue;
    const Expr a = changed[position(n.a)];
    const Expr b = operands > 1 ? changed[position(n.b)] : n.b;
    const Expr c = operands > 2 ? changed[position(n.c)] : n.c;
    if (a != n.a || b != n.b || c != n.c) changed[at] = graph.rebuild(n, a, b, c);
  }
  for (const Expr root : roots) result.roots.push_back(changed[position(root)]);
  return result;
}

}  // namespace takt::codegen
