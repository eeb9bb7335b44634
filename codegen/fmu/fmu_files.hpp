#pragma once
// What the archive of an FMU has beside modelDescription.xml.

#include "codegen/fmu/fmu_archive.hpp"
#include "codegen/fmu/fmu_description.hpp"

namespace takt::codegen {

/// Platforms, sources, terminals and how sources are built: Y024, Y060 to Y062.
void read_files(const FmuArchive& archive, FmuDescription& fmu, Diagnostics& diagnostics);

/// Model identifiers of the interfaces that are served, each once.
[[nodiscard]] std::vector<std::string> identifiers_of(const FmuDescription& fmu);

}  // namespace takt::codegen
