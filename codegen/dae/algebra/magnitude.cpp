#include "codegen/dae/algebra/magnitude.hpp"

#include <optional>
#include <unordered_set>
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
  std::unordered_set<Expr> seen;
  while (!open.empty()) {
    const Expr term = unsigned_part(graph, open.back());
    open.pop_back();
    if (const auto symbol = bare_symbol(graph, term)) return graph.symbol(*symbol).unit;
    if (const Node& node = graph.node(term); is_sum(node) && seen.insert(term).second)
      open.insert(open.end(), {node.b, node.a});
  }
  return {};
}

/// Sums that are met again, here or in the factors of products, are not opened again: where
/// variables have been put in for one another, as tearing does, the ways through shared sums are
/// far more than the sums.
Expr Magnitudes::of(Expr e) {
  if (const auto known = known_.find(e); known != known_.end()) return known->second;
  Expr total = graph_.zero();
  std::vector<Expr> open{e};
  std::unordered_set<Expr> seen;
  while (!open.empty()) {
    const Expr term = unsigned_part(graph_, open.back());
    open.pop_back();
    const Node node = graph_.node(term);
    if (!is_sum(node))
      total = graph_.add(total, of_term(term));
    else if (seen.insert(term).second)
      open.insert(open.end(), {node.b, node.a});
    else
      total = graph_.add(total, of(term));
  }
  known_.emplace(e, total);
  return total;
}

Expr Magnitudes::of_term(Expr term) {
  const Node node = graph_.node(term);
  const bool product = node.op == Op::mul || node.op == Op::div;
  const Expr left = product ? unsigned_part(graph_, node.a) : term,
             right = product ? unsigned_part(graph_, node.b) : term;
  if (product && is_sum(graph_.node(left))) {
    const Expr size = of(left);
    return graph_.binary(node.op, size, graph_.unary(Op::abs, right));
  }
  if (node.op == Op::mul && is_sum(graph_.node(right)))
    return graph_.mul(graph_.unary(Op::abs, left), of(right));
  return graph_.unary(Op::abs, term);
}

Expr magnitude(Graph& graph, Expr e) { return Magnitudes(graph).of(e); }

}  // namespace takt::codegen
