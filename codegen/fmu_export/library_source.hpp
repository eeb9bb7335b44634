#pragma once
// The source that makes a plant the library of an FMU.

#include "codegen/fmu_export/exported_fmu.hpp"

namespace takt::codegen {

/// How the library comes by its plant.
struct LibraryPlant {
  const char* includes;    ///< lines
  const char* definition;  ///< of the function by which the runtime asks for it
};

/// fmu.cpp: that, and who the FMU is. @pre its token is known
[[nodiscard]] SourceFile library_source(const ExportedFmu& fmu, const LibraryPlant& plant);

}  // namespace takt::codegen
