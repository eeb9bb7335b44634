#pragma once
// An FMU's description as JSON, names as in the standards.

#include <nlohmann/json_fwd.hpp>

#include "codegen/fmu/fmu_description.hpp"

namespace takt::tools {

using FmuJson = nlohmann::ordered_json;

/// All of it. Numbers that JSON lacks (INF, NaN) are texts; bytes of binaries are hexadecimal. References to variables
/// in the model structure are names.
[[nodiscard]] FmuJson fmu_json(const codegen::FmuDescription& fmu);

}  // namespace takt::tools
