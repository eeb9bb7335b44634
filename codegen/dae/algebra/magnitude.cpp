#include "codegen/dae/algebra/magnitude.hpp"

#include <optional>
#include <vector>

namespace takt::codegen {
namespace {

bool is_sum(const Node& node) { return node.op == Op::add || node.op == Op::sub; }

/// Without signs, which |...| takes away.
Expr unsigned_part(const Graph& graph, Expr e) {
  while (graph.node(e).op == Op::neg) e = graph.node(e).a;
  return e;
}

/// The symbol a term is, but for its sign.
std::optional<SymbolId> bare_symbol(const Graph& graph, Expr term) {
  const Node& node = graph.node(unsigned_part(graph, term));
  return node.op == Op::symbol ? std::optional(SymbolId{node.payload}) : std::nullopt;
}

}  // namespace

std::string unit_of_sum(const Graph& graph, Expr e) {
  std::vector<Expr> open{e};
  while (!open.empty()) {
    const Expr term = unsigned_part(graph, open.back());
    open.pop_back();
    if (const auto symbol = bare_symbol(graph, term)) return graph.symbol(*symbol).unit;
    if (const Node& node = graph.node(term); is_sum(node)) open.insert(open.end(), {node.b, node.a});
  }
  return {};
}

Expr magnitude(Graph& graph, Expr e) {
  Expr total = graph.zero();
  std::vector<Expr> open{e};
  while (!open.empty()) {
    const Expr term = unsigned_part(graph, open.back());
    open.pop_back();
    const Node node = graph.node(term);
    if (is_sum(node)) {
      open.insert(open.end(), {node.b, node.a});
      continue;
    }
    const bool product = node.op == Op::mul || node.op == Op::div;
    const Expr left = product ? unsigned_part(graph, node.a) : term,
               right = product ? unsigned_part(graph, node.b) : term;
    Expr size{};
    if (product && is_sum(graph.node(left)))
      size = graph.binary(node.op, magnitude(graph, left), graph.unary(Op::abs, right));
    else if (node.op == Op::mul && is_sum(graph.node(right)))
      size = graph.mul(graph.unary(Op::abs, left), magnitude(graph, right));
    else
      size = graph.unary(Op::abs, term);
    total = graph.add(total, size);
  }
  return total;
}

}  // namespace takt::codegen
