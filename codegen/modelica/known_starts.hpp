#pragma once
// Initial equations that give a start value by themselves.

#include <vector>

#include "codegen/modelica/reduced_model.hpp"

namespace takt::codegen::modelica {

/// Start values become those that initial equations give over parameters, the time 0 and fixed
/// starts.
/// @return the initial equations that a system is to be solved for
[[nodiscard]] std::vector<ScalarEquation> take_known_starts(ScalarModel& model,
                                                            ReducedModel& reduced);

/// One of model.truths.
[[nodiscard]] bool is_truth(const ScalarModel& model, SymbolId symbol);

/// held = value
[[nodiscard]] bool sets_held(const ScalarModel& model, const ScalarEquation& equation);

}  // namespace takt::codegen::modelica
