#pragma once
// Where flanges of a model begin. What meets at a node of a plant has one speed there; its angle or
// position each model keeps for itself, so all have to begin at the same one.

#include "codegen/modelica/connector_joins.hpp"
#include "codegen/modelica/reduced_model.hpp"

namespace takt::codegen::modelica {

struct StartPosition {
  std::string connector;
  double value = 0.0;
};

/// Of joined connectors with an angle or a position, those that states and parameters tell.
[[nodiscard]] std::vector<StartPosition> start_positions(ScalarModel& model,
                                                         const ReducedModel& reduced,
                                                         const ModelInstance& instance);

}  // namespace takt::codegen::modelica
