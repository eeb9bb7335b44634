#pragma once
// The page that an FMU carries.

#include <string>

#include "codegen/fmu_export/exported_fmu.hpp"
#include "codegen/pipeline.hpp"

namespace takt::tools {

/// HTML: title, how to step it, parameters, inputs and outputs with units, equations.
[[nodiscard]] std::string fmu_documentation(const codegen::Checked& checked, const codegen::ExportedFmu& fmu);

}  // namespace takt::tools
