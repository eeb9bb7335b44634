#pragma once
// A flat Modelica model as a plant: all stages of the import in order.

#include "codegen/modelica/write_plant.hpp"

namespace takt::codegen::modelica {

/// @param text  flat JSON of rumoca
/// @return nothing where an error was found: then nothing of the model is imported (D001 to D039)
[[nodiscard]] std::optional<PlantText> import_model(std::string_view text, FileName file,
                                                    const PlantSettings& settings,
                                                    Diagnostics& diagnostics);

}  // namespace takt::codegen::modelica
