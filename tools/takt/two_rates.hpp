#pragma once
// A plant whose exchange had to become frequent, with that exchange among its fast circuits only.

#include <memory>
#include <vector>

#include "runtime/audit/refined_plan.hpp"
#include "tools/takt/build_plant.hpp"

namespace takt::tools {

/// Whether the exchange became more frequent, and nothing of [solve] and [sync] is given.
[[nodiscard]] bool may_have_two_rates(const BuiltPlant& plant, const PlanTimes& found);

/// Built with `fast` circuits in a group of their own that exchanges as often as `found` says; all others as seldom as
/// the plan of `plant`. Both times are free to move.
/// @return null where such a plan is refused
[[nodiscard]] std::shared_ptr<const BuiltPlant> with_two_rates(const BuiltPlant& plant, const PlanTimes& found,
                                                               const std::vector<std::size_t>& fast);

}  // namespace takt::tools
