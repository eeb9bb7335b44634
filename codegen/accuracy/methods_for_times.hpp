#pragma once
// Methods that may suit the times that were found better than those that the plan has: it proposes
// them for the longest stable steps.

#include <vector>

#include "codegen/accuracy/plan_times.hpp"
#include "codegen/stability/operating_range.hpp"

namespace takt::codegen {

/// What to try, each parallel to the plan's subsystems, nullptr where a method stays: what is
/// cheapest at the steps that were found; and rk4 where a window is several steps of a lower order.
/// Steps that are given keep their method.
/// @return sets with at least one method; nothing where all that could change costs little
[[nodiscard]] std::vector<std::vector<const Method*>> methods_for_times(
    const PlantEquations& plant, const Plan& plan, const PlanTimes& found,
    const OperatingRange& range);

}  // namespace takt::codegen
