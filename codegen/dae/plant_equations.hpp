#pragma once
// The equations of a plant as the passes after codegen/dae take them.

#include "codegen/dae/algebra/surrogate.hpp"

namespace takt::codegen {

/// The network and the subsystems derived from it. It refers to what others own and must not
/// outlive them.
struct PlantEquations {
  const Network& network;
  const DaeResult& dae;
};

}  // namespace takt::codegen
