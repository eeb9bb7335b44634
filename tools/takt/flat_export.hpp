#pragma once
// A plant as an FMU of model exchange.

#include <optional>
#include <string>

#include "codegen/fmu_export/exported_fmu.hpp"
#include "codegen/pipeline.hpp"

namespace takt::tools {

/// Why it cannot be one is told.
/// @param start  directory of a run that began with a steady state; empty: none
[[nodiscard]] std::optional<codegen::ExportedFmu> flat_export(const codegen::Checked& checked,
                                                              const codegen::FmuExport& how, const std::string& start);

}  // namespace takt::tools
