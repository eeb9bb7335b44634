#pragma once
// Expressions of one graph as a list of operations on numbers, for programs that evaluate the same
// expressions many times. One value once: Graph::evaluate().

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "codegen/expr/expr.hpp"

namespace takt::codegen {

/// Every node and symbol has a slot; what is asked for again has it already.
class StraightLine {
 public:
  using Slot = std::uint32_t;
  struct Operation {
    Node node;
    Slot result = 0, a = 0, b = 0, c = 0;  ///< operands the operation does not have: its own result
  };

  explicit StraightLine(const Graph& graph) : graph_(&graph) {}

  /// Slot of a value. Operations that it needs and that are not there yet stand at the end,
  /// operands before users.
  Slot slot_of(Expr e);
  Slot slot_of(SymbolId symbol);
  [[nodiscard]] std::optional<Slot> find(SymbolId symbol) const;
  /// All symbols that have a slot, in the order they got it.
  [[nodiscard]] const std::vector<std::pair<SymbolId, Slot>>& symbols() const { return symbols_; }
  [[nodiscard]] const std::vector<Operation>& operations() const { return operations_; }

  [[nodiscard]] double& operator[](Slot slot) { return slots_[slot]; }
  [[nodiscard]] double operator[](Slot slot) const { return slots_[slot]; }
  [[nodiscard]] const std::vector<double>& slots() const { return slots_; }

  /// Operations [begin, end) of this list.
  void run(std::size_t begin, std::size_t end) {
    run(std::span(operations_).subspan(begin, end - begin));
  }
  /// Operations of this list, some of them.
  void run(std::span<const Operation> operations);

 private:
  Slot new_slot(double value);

  const Graph* graph_;
  std::vector<double> slots_;
  std::vector<Operation> operations_;
  std::vector<std::pair<SymbolId, Slot>> symbols_;
  std::unordered_map<Expr, Slot> slot_;
  std::unordered_map<SymbolId, Slot> symbol_slot_;
};

}  // namespace takt::codegen
