#pragma once
// Energy bookkeeping of one circuit: what sources deliver, what is lost, what crosses to other circuits, what is stored.

#include "codegen/dae/ownership.hpp"

namespace takt::codegen {

[[nodiscard]] EnergyBalance energy_balance(Network& network, const CircuitTopology& circuit, std::size_t index, const std::vector<FluxSource>& fluxes);

}  // namespace takt::codegen
