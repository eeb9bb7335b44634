#pragma once
// Variables of an FMU as names and symbols of the plant. Internal to codegen/model.

#include <string>

#include "codegen/fmu/fmu_description.hpp"
#include "codegen/model/workspace.hpp"

namespace takt::codegen {

/// A name of the plant for a variable of an FMU: lower-case letters, digits and _.
[[nodiscard]] std::string plant_name(std::string name);

/// An element of a variable: indices into FmuDescription::variables and among its elements.
struct ForeignPlace {
  std::size_t variable = 0, element = 0;
};

/// What it is called in the plant.
struct ForeignName {
  std::string path;  ///< of its symbol; empty: it has none
  Location where;
};

/// Y110 where the unit is not known; M019 where the path means something already.
[[nodiscard]] ForeignModel::Port exchanged(Workspace& work, const ForeignModel& model,
                                           const ForeignPlace& place, const ForeignName& name);

}  // namespace takt::codegen
