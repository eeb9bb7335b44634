#pragma once
// [record] of a plant: what is asked for, else outputs of the model, else its states.

#include "codegen/modelica/import_map.hpp"
#include "codegen/modelica/write_plant.hpp"

namespace takt::codegen::modelica {

class RecordText {
 public:
  RecordText(const ScalarModel& model, const ReducedModel& reduced, const ImportMap& map)
      : model_(model), reduced_(reduced), map_(map) {}

  /// Reports D003 of a name that the model does not have.
  [[nodiscard]] std::string text(const PlantSettings& settings, Diagnostics& diagnostics) const;

 private:
  [[nodiscard]] const std::string& name_of(SymbolId symbol) const {
    return model_.variables[model_.variable_of.at(symbol)].name;
  }

  const ScalarModel& model_;
  const ReducedModel& reduced_;
  const ImportMap& map_;
};

}  // namespace takt::codegen::modelica
