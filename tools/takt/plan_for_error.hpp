#pragma once
// The plan of a plant for the error that it, or --error, asks for: searched once, then kept beside its executable.

#include "tools/takt/build_plant.hpp"

namespace takt::tools {

/// Builds the plant by its own plan, searches, and puts the file of what was found into `solve`. Where no error is
/// asked for it does nothing. Findings and progress go to stderr; S046 where the error is not met.
/// @return false after errors
[[nodiscard]] bool plan_for_error(PlantBuild& request);

}  // namespace takt::tools
