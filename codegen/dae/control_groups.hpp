#pragma once
// Control blocks as discrete subsystems: those of one period in the order of their feedthrough.

#include <vector>

#include "codegen/dae/algebra/surrogate.hpp"

namespace takt::codegen {

/// One subsystem per period, in ascending order; where parts of the plant have nothing to do with
/// one another, such as vehicles of a fleet, one for each of them: their code can be the same then.
/// C010 where blocks of one period feed through in a loop.
/// @param circuits  the plant's circuits and fluxes
[[nodiscard]] std::vector<Surrogate> control_surrogates(const Network& network,
                                                        const DaeResult& circuits,
                                                        Diagnostics& diagnostics);

}  // namespace takt::codegen
