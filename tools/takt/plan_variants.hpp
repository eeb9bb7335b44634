#pragma once
// The plant built with a plan of another shape - groups, methods - for a search of its times.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/audit/refined_plan.hpp"
#include "tools/takt/build_plant.hpp"

namespace takt::tools {

/// The plant by the plan of a settings file, beside its own; says nothing of mistakes.
/// @param settings  the text of such a file (plan_settings.hpp)
/// @return nullopt where that is no plan
[[nodiscard]] std::optional<BuiltPlant> built_by_plan(const BuiltPlant& plant, const std::string& settings);

/// Where nothing is given in [solve] and [sync]: all may be another.
[[nodiscard]] bool may_vary(const BuiltPlant& plant);

/// These subsystems exchange as often as the times that were found say, the others as the plan does.
/// @return null where that is no plan, or no other one
[[nodiscard]] std::shared_ptr<const BuiltPlant> with_two_rates(const BuiltPlant& plant, const PlanTimes& found,
                                                               const std::vector<std::size_t>& fast);

/// Groups as they are, other methods.
/// @param methods  parallel to the plan's subsystems; nullptr: what is proposed
/// @return null where that is no plan
[[nodiscard]] std::shared_ptr<const BuiltPlant> with_methods(const BuiltPlant& plant,
                                                             const std::vector<const codegen::Method*>& methods);

}  // namespace takt::tools
