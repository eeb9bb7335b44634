#pragma once
// A plant run by several plans beside each other: what its recorded signals lose by longer steps and times.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/audit/refined_plan.hpp"
#include "runtime/plant/description.hpp"
#include "runtime/plant/input_script.hpp"

namespace takt {

struct TrialSettings {
  double duration_s = 0.0;      ///< simulated
  double seconds = 0.0;         ///< of computing time of all plans at most; what is done by then counts
  bool (*goes_on)() = nullptr;  ///< asked now and then: false ends the trials with what they have
  std::span<const ScriptedInput>
      inputs{};  ///< by macro-steps of the plant; in all plans they act from the same time on
};

/// RMS of one plan's difference to another, over the scale of the signal (LeastScales, part 1e-2).
struct TrialErrors {
  std::vector<double> to_first, to_last;  ///< parallel to PlanTrials::signals; infinite: it left every bound
  double compute_s = 0.0;                 ///< of this plan's windows
  std::string verdict;                    ///< why a run is not to be trusted: the first event for which it is not
                                          ///< ("X004: gas: ..."), its energies, or what the audit of it would find
};

struct TrialSignal {
  std::string path, unit;
  std::string subsystem;  ///< that computes it
  double scale = 0.0;
};

struct PlanTrials {
  std::vector<TrialSignal> signals;  ///< recorded ones that are no inputs and no rates
  std::vector<TrialErrors> plans;
  double covered_s = 0.0;  ///< simulated, from the start
  std::uint64_t samples = 0;
};

/// All plans from the start that is in plant memory, side by side, compared at the times at which the plant records, as
/// far as these are multiples of all outermost times.
/// @param plans  the last one is the finest
/// @throw std::invalid_argument  times that do not fit together
/// Not real-time: works in memory of its own; allocates; a thread per CPU.
[[nodiscard]] PlanTrials try_plans(const PlantDescription& plant, std::span<const PlanTimes> plans,
                                   const TrialSettings& settings);

}  // namespace takt
