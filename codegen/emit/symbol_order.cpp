#include "codegen/emit/symbol_order.hpp"

#include <array>
#include <unordered_set>

namespace takt::codegen {

std::vector<SymbolId> symbols_in_order(const Graph& graph, const std::vector<Expr>& roots) {
  std::vector<SymbolId> found;
  std::vector<Expr> open(roots.rbegin(), roots.rend());
  std::unordered_set<Expr> seen;
  while (!open.empty()) {
    const Expr e = open.back();
    open.pop_back();
    if (!seen.insert(e).second) continue;
    const Node& node = graph.node(e);
    if (node.op == Op::symbol) found.push_back(SymbolId{node.payload});
    const std::array<Expr, 3> from_right{node.c, node.b, node.a};
    open.insert(open.end(), from_right.end() - Graph::arity(node.op), from_right.end());
  }
  return found;
}

}  // namespace takt::codegen
