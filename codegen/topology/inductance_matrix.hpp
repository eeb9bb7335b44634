#pragma once
// Inductance matrices of elements with several windings.

#include "codegen/text/diagnostics.hpp"
#include "codegen/topology/switching_branch.hpp"

namespace takt::codegen {

/// Inductance that branch i has with the current of branch j, H; 0 where its law is not given as
/// lambda(i).
[[nodiscard]] double inductance(const Network& network, const NominalValues& values,
                                const Branch& i, const Branch& j);

/// T013: windings coupled so closely that their currents do not follow from the flux linkages.
void check_inductance_matrices(const Network& network, const NominalValues& values,
                               Diagnostics& diagnostics);

}  // namespace takt::codegen
