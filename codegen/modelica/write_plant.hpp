#pragma once
// The plant file of a reduced model, and the map from names of Modelica to signals.

#include "codegen/modelica/connector_joins.hpp"
#include "codegen/modelica/reduced_model.hpp"
#include "codegen/modelica/start_positions.hpp"

namespace takt::codegen::modelica {

struct PlantSettings {
  std::string title, origin;
  std::string duration, every = "10 ms";  ///< no duration: that of the model's experiment, or 1 s
  std::vector<std::string>
      records;  ///< names of Modelica; empty: outputs of the model, else its states
  std::optional<ModelInstance>
      instance;  ///< only the element and its line, for a plant that has more than the model
};

struct PlantText {
  std::string plant;                       ///< plant.toml
  std::string map;                         ///< import.json
  std::vector<StartPosition> positions{};  ///< of flanges that join the plant
};

/// The same model gives the same text.
/// @return nothing where an error was found (D003 of a record, D007 of a number that is not finite)
[[nodiscard]] std::optional<PlantText> write_plant(ScalarModel& model, const ReducedModel& reduced,
                                                   const PlantSettings& settings,
                                                   Diagnostics& diagnostics);

}  // namespace takt::codegen::modelica
