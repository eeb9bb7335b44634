#pragma once
// A plant as an FMU: the sources of its library, before they are compiled.

#include <optional>
#include <string>

#include "codegen/fmu_export/exported_fmu.hpp"
#include "codegen/pipeline.hpp"

namespace takt::tools {

/// Of co-simulation: the plant with steps of its own; of model exchange: the whole plant as one system. Why it cannot
/// be one is told.
/// @param start  of model exchange: directory of a run that began with a steady state; empty: none
[[nodiscard]] std::optional<codegen::ExportedFmu> exported_plant(const codegen::Checked& checked,
                                                                 const codegen::FmuExport& how,
                                                                 const std::string& start);

}  // namespace takt::tools
