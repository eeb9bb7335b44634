#pragma once
// Expressions of one graph as a list of operations on numbers, for a program that evaluates the same expressions
// millions of times.

#include <vector>

#include "codegen/expr/expr.hpp"

namespace takt::codegen {

/// Phases: construct, then set() what does not change within a run (parameters), then set() and evaluate() as often as
/// wanted.
class Tape {
 public:
  /// @param varying  symbols that are set between evaluations; operations on all others are done once, at the first
  /// evaluation after a fix()
  Tape(const Graph& graph, std::vector<Expr> roots, const std::vector<SymbolId>& varying);

  /// Value of a symbol that does not vary, SI. Takes effect at the next fix().
  void set_fixed(SymbolId symbol, double value);
  /// Does the operations on symbols that do not vary.
  void fix();
  /// Values of the varying symbols in the order given to the constructor -> values of the roots.
  void evaluate(const std::vector<double>& varying, std::vector<double>& results);

 private:
  struct Operation {
    Node node;
    std::uint32_t result, a, b, c;  // slots
  };
  void run(const std::vector<Operation>& operations);

  const Graph* graph_;
  std::vector<double> slots_;
  std::vector<Operation> once_, each_time_;
  struct Place {
    std::uint32_t slot, index;
  };
  std::vector<Place> varying_;
  std::vector<std::pair<SymbolId, std::uint32_t>> fixed_;
  std::vector<std::uint32_t> roots_;
};

}  // namespace takt::codegen
