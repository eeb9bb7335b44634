#pragma once
// Judges the step of one subsystem by its linearisation, and proposes method and step where the
// user is silent.

#include "codegen/stability/step_limits.hpp"
#include "codegen/trial/step_trial.hpp"

namespace takt::codegen {

/// States that hang together, beyond which method exact multiplies too many numbers in every step.
inline constexpr std::size_t largest_exact_block = 200;

/// As method exact takes a subsystem that it is asked to: inputs that coefficients follow are held,
/// but for fluxes, whose integral counts.
[[nodiscard]] LinearShape shape_for_exact(const Network& network, const DaeResult& dae,
                                          const Surrogate& surrogate);

/// States that hang together, where their matrix is computed once a window.
inline constexpr std::size_t largest_refreshed_block = 12;

struct StepQuestion {
  const Network& network;
  const Surrogate& surrogate;
  const Spectrum& spectrum;
  const SolveSetting& setting;  ///< of this subsystem, merged
  std::int64_t most_ns = 0;     ///< longest step that is proposed
  StepTrial* trial = nullptr;   ///< where the plant goes; nullptr: not asked for
};

/// A method with the longest step it can take.
struct Candidate {
  const Method* method = nullptr;
  int stages = 0;
  std::int64_t step_ns = 0;
  double cost = 0.0;  ///< operations per simulated second, about
};

/// Operations of one step, about.
[[nodiscard]] double cost_of_step(const Method* method, int stages, const StepQuestion& question);

/// What could integrate the subsystem in windows of this period, cheapest first; steps divide the
/// period and are at most `most_ns`.
[[nodiscard]] std::vector<Candidate> candidates(const StepQuestion& question,
                                                std::int64_t period_ns);

/// Fills `stability`; moves what was proposed and is not stable.
/// Reports S040 (unstable), the note S041 (no linearisation), what check_sources() does, S045
/// (inaccurate).
/// @pre method, step and period are chosen
void settle_step(PlanSubsystem& subsystem, const StepQuestion& question, Diagnostics& diagnostics);

}  // namespace takt::codegen
