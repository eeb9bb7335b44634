#pragma once
// What is known ahead of the part of a run that trials do not reach.

#include <string>
#include <utility>
#include <vector>

#include "codegen/dae/plant_equations.hpp"

namespace takt::codegen {

/// Instants from `seen_s` to `duration_s` at which functions of the time jump or bend, or are
/// narrowest, s, ascending. What comes again and again counts where it comes first, and not at all
/// where trials have met it.
/// @param set  parameters that have other values than in the plant, SI, as text
[[nodiscard]] std::vector<double> later_instants(
    const PlantEquations& plant, double seen_s, double duration_s,
    const std::vector<std::pair<std::string, std::string>>& set = {});

}  // namespace takt::codegen
