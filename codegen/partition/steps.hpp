#pragma once
// [solve] of the plant file applied to the subsystems, and what is proposed where it is silent.

#include <vector>

#include "codegen/dae/plant_equations.hpp"
#include "codegen/plan/plan.hpp"
#include "codegen/stability/linearise.hpp"
#include "codegen/trial/step_trial.hpp"

namespace takt::codegen {

/// What steps are judged by and proposed for.
struct StepEvidence {
  const std::vector<Spectrum>& spectra;          ///< at the start and over the operating range
  const std::vector<Spectrum>* ahead = nullptr;  ///< and where the plant goes: for what is proposed
  const Outlook* outlook = nullptr;
};

/// Method, micro-step and window of each subsystem.  Reports S001-S004, S010, S015, S040, S041,
/// S044, S045.
/// @pre choose_groups has run
void choose_steps(Plan& plan, const PlantEquations& plant, const StepEvidence& evidence,
                  Diagnostics& diagnostics);

/// A plan by the network's [solve], [sync] and [record] from what is known of the subsystems;
/// whether their coupling is stable is not looked at.
[[nodiscard]] Plan arrange_plan(const Network& network, const DaeResult& dae,
                                const StepEvidence& evidence, Diagnostics& diagnostics);

}  // namespace takt::codegen
