#pragma once
// What start values say of the rest: where a rate is a state in the place of a speed that has a
// start value, it begins with that.

#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "codegen/dae/algebra/equations.hpp"

namespace takt::codegen {

using KnownStarts = std::unordered_map<SymbolId, Expr>;

struct StartQuestion {
  const std::vector<Equation>& equations;
  const std::unordered_set<SymbolId>& variables;  ///< of the equations; all else is known
  std::function<double(Expr)> at_start;           ///< a slope that is zero there tells nothing
};

/// Each equation that is linear in the only variable whose value is not known gives it, one after
/// the other. What is known stays, also where it contradicts an equation.
void follow_starts(Graph& graph, const StartQuestion& question, KnownStarts& known);

}  // namespace takt::codegen
