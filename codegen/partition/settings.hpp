#pragma once
// [sync], [solve] and [record] of the plant file applied to the subsystems.

#include <map>
#include <string>

#include "codegen/partition/plan.hpp"
#include "codegen/partition/step_trial.hpp"
#include "codegen/stability/linearise.hpp"

namespace takt::codegen {

/// The tree of groups; every subsystem ends up in one.  Reports S005, S007, S019, S030-S032.
void choose_groups(Plan& plan, const Network& network, const DaeResult& dae, Diagnostics& diagnostics);

/// What steps are judged by and proposed for.
struct StepEvidence {
  const std::vector<Spectrum>& spectra;  ///< at the start and over the operating range
  const std::vector<Spectrum>* ahead = nullptr;  ///< and where the plant goes: for what is proposed
  const Outlook* outlook = nullptr;
};

/// Method, micro-step and window of each subsystem.  Reports S001-S004, S010, S015, S040, S041, S044, S045.
/// @pre choose_groups has run
void choose_steps(Plan& plan, const Network& network, const DaeResult& dae, const StepEvidence& evidence, Diagnostics& diagnostics);

/// A plan by the network's [solve], [sync] and [record] from what is known of the subsystems; whether their coupling is stable is not looked at.
[[nodiscard]] Plan arrange_plan(const Network& network, const DaeResult& dae, const StepEvidence& evidence, Diagnostics& diagnostics);

/// What [record] names, ascending.
[[nodiscard]] std::vector<SymbolId> recorded_symbols(const Network& network, const DaeResult& dae);
/// What is recorded and when; without [record]: node variables and control outputs.  Reports S008, S009.
void choose_records(Plan& plan, const Network& network, const DaeResult& dae, Diagnostics& diagnostics);

}  // namespace takt::codegen
