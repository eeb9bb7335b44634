#pragma once
// Energy bookkeeping of one circuit: what sources deliver, what is lost, what crosses to other
// circuits, what is stored.

#include "codegen/dae/circuit/ownership.hpp"

namespace takt::codegen {

/// @param by_tellegen  give what storages absorb instead of what dissipators turn into loss: where
/// every branch obeys Kirchhoff's
///                     laws the one follows from the other (Tellegen's theorem), at a fraction of
///                     the cost
[[nodiscard]] EnergyBalance energy_balance(const CircuitScope& scope, bool by_tellegen);

}  // namespace takt::codegen
