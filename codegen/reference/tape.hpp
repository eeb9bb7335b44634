#pragma once
// A straight line of which a part is done once, because what it reads does not vary.

#include <vector>

#include "codegen/expr/straight_line.hpp"

namespace takt::codegen {

/// Phases: construct, then set() what does not change within a run (parameters), then set() and
/// evaluate() as often as wanted.
class Tape {
 public:
  /// @param varying  symbols that are set between evaluations; operations on all others are done
  /// once, at the first evaluation after a fix()
  Tape(const Graph& graph, const std::vector<Expr>& roots, const std::vector<SymbolId>& varying);

  /// Value of a symbol that does not vary, SI. Takes effect at the next fix().
  void set_fixed(SymbolId symbol, double value);
  /// Does the operations on symbols that do not vary.
  void fix();
  /// Values of the varying symbols in the order given to the constructor -> values of the roots.
  void evaluate(const std::vector<double>& varying, std::vector<double>& results);

 private:
  StraightLine line_;
  std::vector<StraightLine::Operation> once_, each_time_;
  struct Place {
    StraightLine::Slot slot;
    std::size_t index;
  };
  std::vector<Place> varying_;
  std::vector<std::pair<SymbolId, StraightLine::Slot>> fixed_;
  std::vector<StraightLine::Slot> roots_;
};

}  // namespace takt::codegen
