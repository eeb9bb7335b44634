#pragma once
// A plan tried out on the equations of the plant: what it makes of the recorded quantities, and what it costs.

#include <vector>

#include "codegen/plan/plan.hpp"
#include "codegen/propose/trial_runs.hpp"
#include "codegen/stability/linearise.hpp"

namespace takt::codegen {

struct Trial {
  std::vector<std::vector<double>>
      rows;  ///< watched quantities at every sample, run after run; ends early where one is no finite number
  bool finite = true;
};

[[nodiscard]] Trial try_plan(const Plan& plan, const Network& network, const DaeResult& dae, const TrialRuns& runs);

/// Of the quantity that differs most: RMS of the difference over its scale.
struct TrialError {
  double nrms = 0.0;
  std::size_t worst = 0;  ///< index into the watched quantities
};
[[nodiscard]] TrialError difference(const Trial& trial, const Trial& reference, const TrialRuns& runs);

/// Operations per simulated second, about: evaluations of all subsystems that are not switched, and exchanges.
[[nodiscard]] double cost_of(const Plan& plan, const Network& network, const DaeResult& dae,
                             const std::vector<Spectrum>& spectra);

}  // namespace takt::codegen
