#pragma once
// Trials of plans by the built plant: its executable with --trials.

#include "codegen/accuracy/plan_search.hpp"
#include "tools/takt/build_plant.hpp"

namespace takt::tools {

/// @param plant   lives as long as what is returned
/// @param inputs  options of the executable that say what plant inputs do: --replay, --input; none: start values
[[nodiscard]] codegen::TryPlans trials_of(const BuiltPlant& plant, const std::vector<std::string>& inputs);

}  // namespace takt::tools
