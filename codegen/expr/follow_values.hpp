#pragma once
// What values of some variables say of others, by equations that give one of them each.

#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "codegen/expr/expr.hpp"

namespace takt::codegen {

using KnownValues = std::unordered_map<SymbolId, Expr>;

struct ValueQuestion {
  std::vector<Expr> residuals;             ///< zero where the equations hold
  std::unordered_set<SymbolId> variables;  ///< of the equations; all else is known
  std::function<double(Expr)> number;      ///< of a slope: where it is zero, it tells nothing
};

/// Each equation that is linear in the only variable whose value is not known gives it, one after
/// the other. What is known stays, also where it contradicts an equation.
void follow_values(Graph& graph, const ValueQuestion& question, KnownValues& known);

}  // namespace takt::codegen
