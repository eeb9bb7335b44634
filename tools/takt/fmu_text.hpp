#pragma once
// An FMU's description as text for a terminal.

#include <string>

#include "codegen/fmu/fmu_description.hpp"

namespace takt::tools {

[[nodiscard]] std::string fmu_text(const codegen::FmuDescription& fmu);

}  // namespace takt::tools
