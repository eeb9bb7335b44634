#pragma once
// What a node has from its operands, computed once over many walks: expressions of one circuit
// share most of their nodes.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "codegen/expr/expr.hpp"

namespace takt::codegen {

/// @tparam T  what is known of a node, small; a default-constructed one is that of a constant
/// A value, once computed, stays: what symbols mean must not change for the nodes that were asked
/// for.
template <class T>
class NodeMemo {
 public:
  explicit NodeMemo(const Graph& graph) : graph_(graph) {}

  /// @param of_symbol  T of a symbol
  /// @param join       T of a node from those of two operands
  template <class OfSymbol, class Join>
  T of(Expr root, const OfSymbol& of_symbol, const Join& join) {
    return by_operation(root, of_symbol, [&](const Node& node, const std::array<T, 3>& operands) {
      T value{};
      for (std::size_t k = 0; k < static_cast<std::size_t>(Graph::arity(node.op)); ++k)
        value = k == 0 ? operands[k] : join(value, operands[k]);
      return value;
    });
  }

  /// @param of_node  T of an operation or a constant from those of its operands
  template <class OfSymbol, class OfNode>
  T by_operation(Expr root, const OfSymbol& of_symbol, const OfNode& of_node) {
    open_.assign(1, root);
    while (!open_.empty()) {
      const Expr e = open_.back();
      if (slot(e).known) {
        open_.pop_back();
        continue;
      }
      const Node& node = graph_.node(e);
      const std::array<Expr, 3> operands{node.a, node.b, node.c};
      const auto count = static_cast<std::size_t>(Graph::arity(node.op));
      bool ready = true;
      for (std::size_t k = 0; k < count; ++k) {
        if (slot(operands[k]).known) continue;
        open_.push_back(operands[k]);
        ready = false;
      }
      if (!ready) continue;
      open_.pop_back();
      std::array<T, 3> known{};
      for (std::size_t k = 0; k < count; ++k) known[k] = slot(operands[k]).value;
      const T value =
          node.op == Op::symbol ? of_symbol(SymbolId{node.payload}) : of_node(node, known);
      slot(e) = {value, true};
    }
    return slot(root).value;
  }

 private:
  struct Slot {
    T value{};
    bool known = false;
  };
  static constexpr std::uint32_t page_size = 256;
  using Page = std::array<Slot, page_size>;

  /// Nodes of one circuit lie close together: pages of a large graph that it does not touch are not
  /// made.
  Slot& slot(Expr e) {
    const auto index = static_cast<std::uint32_t>(e);
    if (pages_.size() <= index / page_size) pages_.resize(graph_.size() / page_size + 1);
    auto& page = pages_[index / page_size];
    if (!page) page = std::make_unique<Page>();
    return (*page)[index % page_size];
  }

  const Graph& graph_;
  std::vector<std::unique_ptr<Page>> pages_;
  std::vector<Expr> open_;
};

}  // namespace takt::codegen
