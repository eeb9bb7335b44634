#pragma once
// Judges the step of one subsystem by its linearisation, and proposes method and step where the
// user is silent.

#include "codegen/partition/step_candidates.hpp"

namespace takt::codegen {

/// As method exact takes a subsystem that it is asked to: inputs that coefficients follow are held,
/// but for fluxes, whose integral counts.
[[nodiscard]] LinearShape shape_for_exact(const Network& network, const DaeResult& dae,
                                          const Surrogate& surrogate);

/// States that hang together, where their matrix is computed once a window.
inline constexpr std::size_t largest_refreshed_block = 12;

/// Fills `stability`; moves what was proposed and is not stable.
/// Reports S040 (unstable), the note S041 (no linearisation), what check_sources() does, S045
/// (inaccurate).
/// @pre method, step and period are chosen
void settle_step(PlanSubsystem& subsystem, const StepQuestion& question, Diagnostics& diagnostics);

}  // namespace takt::codegen
