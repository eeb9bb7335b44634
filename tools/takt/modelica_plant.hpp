#pragma once
// A model in Modelica as a plant file: what `takt import modelica` writes, and what other commands make of MODEL.mo.

#include <filesystem>
#include <optional>
#include <string>

#include "codegen/modelica/write_plant.hpp"
#include "tools/takt/modelica_front_end.hpp"

namespace takt::tools {

/// What the import reads.
struct FlatText {
  std::string name, origin, text;
};
/// @return nothing where the front end refused it
[[nodiscard]] std::optional<FlatText> flat_text(const std::string& argument, ModelicaSource source,
                                                codegen::Diagnostics& diagnostics);

struct ModelicaPlant {
  std::string name;  ///< of the model, without its packages
  codegen::modelica::PlantText text;
  std::string flat;  ///< the flat model of it
};

/// @param argument  a file of Modelica, flat or not, or the name of a class
/// @param settings  title and origin are set here
/// @return nothing where an error was found
[[nodiscard]] std::optional<ModelicaPlant> modelica_plant(const std::string& argument, ModelicaSource source,
                                                          codegen::modelica::PlantSettings settings,
                                                          codegen::Diagnostics& diagnostics);

/// plant_file(), or that of a model in Modelica (.mo, .bmo, .flat.json): below .takt, made again where the model says
/// something else now. Findings go to stderr.
/// @throws UsageError, and std::runtime_error  where there is none
[[nodiscard]] std::filesystem::path plant_or_model(const std::string& argument);

}  // namespace takt::tools
