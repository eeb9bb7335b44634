#pragma once
// The scalar equations without what is another variable, with a sign, or a constant; and without
// what is only read.

#include "codegen/modelica/scalar_model.hpp"

namespace takt::codegen::modelica {

/// What became of a variable: sign*target, or a value over parameters.
struct Alias {
  int sign = 1;
  std::optional<SymbolId> target;
  Expr value{};  ///< where there is no target
};

/// A variable that its value gives and that no equation needs.
struct Named {
  SymbolId symbol{};
  Expr value{};
};

struct ReducedModel {
  std::vector<ScalarEquation> equations, initial;
  std::vector<ScalarEquation> at_start;  ///< `equations` where initial() holds; empty: the same
  std::vector<SymbolId> states;          ///< those to integrate first come first
  std::vector<SymbolId> unknowns;        ///< beside states and their rates
  std::vector<SymbolId> inputs;
  std::vector<SymbolId> held;       ///< changes at events alone
  std::vector<SymbolId> relations;  ///< truth values of relations at which equations jump
  std::vector<std::pair<SymbolId, double>> counts;  ///< of samples, at the start
  std::vector<Named> named;                         ///< each after those that it reads
  std::map<SymbolId, Alias> aliases;
  std::map<SymbolId, SymbolId> rates;  ///< der(x) by x, of the states
  std::map<SymbolId, double> started;  ///< rates at the start, of states that constraints tie
};

/// What is left of a variable.
[[nodiscard]] Expr put_through(ScalarModel& model, const ReducedModel& reduced, SymbolId symbol);

/// Start values of aliases become those of what they stand for.
/// @return nothing where an error was found (D010, D023, D026)
[[nodiscard]] std::optional<ReducedModel> reduce(ScalarModel& model, Diagnostics& diagnostics);

}  // namespace takt::codegen::modelica
