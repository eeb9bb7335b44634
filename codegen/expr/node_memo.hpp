#pragma once
// What a node has from its operands, computed once over many walks: expressions of one circuit share most of their nodes.

#include <unordered_map>
#include <vector>

#include "codegen/expr/expr.hpp"

namespace takt::codegen {

/// @tparam T  what is known of a node; a default-constructed one is that of a constant
/// A value, once computed, stays: what symbols mean must not change for the nodes that were asked for.
template <class T>
class NodeMemo {
 public:
  explicit NodeMemo(const Graph& graph) : graph_(graph) {}

  /// @param of_symbol  T of a symbol
  /// @param join       T of a node from those of two operands
  template <class OfSymbol, class Join>
  const T& of(Expr root, const OfSymbol& of_symbol, const Join& join) {
    std::vector<Expr> open{root};
    while (!open.empty()) {
      const Expr e = open.back();
      if (known_.contains(e)) {
        open.pop_back();
        continue;
      }
      const Node& node = graph_.node(e);
      const Expr operands[]{node.a, node.b, node.c};
      const int count = Graph::arity(node.op);
      bool ready = true;
      for (int k = 0; k < count; ++k) {
        if (known_.contains(operands[k])) continue;
        open.push_back(operands[k]);
        ready = false;
      }
      if (!ready) continue;
      open.pop_back();
      T value{};
      if (node.op == Op::symbol) value = of_symbol(SymbolId{node.payload});
      for (int k = 0; k < count; ++k) value = k == 0 ? known_.at(operands[k]) : join(value, known_.at(operands[k]));
      known_.emplace(e, std::move(value));
    }
    return known_.at(root);
  }

 private:
  const Graph& graph_;
  std::unordered_map<Expr, T> known_;
};

}  // namespace takt::codegen
