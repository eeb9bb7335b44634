#pragma once

#include <string>
#include <vector>

#include "codegen/fmu/fmu_description.hpp"
#include "tools/fmu_host/trial_plan.hpp"

namespace takt::tools {

using fmu_host::StartValues;

/// "mass=2.5", "mass=2.5 kg" (converted to the variable's unit), "mode=fast" (an enumeration's item), "on=true",
/// "gains=1,2,3" (all elements of an array), "gains[2]=5" (the others keep their start values).
/// @throw UsageError  no such variable, it cannot be set, or the value does not fit, with what would do
[[nodiscard]] StartValues start_values(const codegen::FmuDescription& fmu, const std::vector<std::string>& settings);

}  // namespace takt::tools
