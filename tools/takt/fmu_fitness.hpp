#pragma once
// What the probes have found, judged: is an FMU fit for real time?

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/takt/fmu_probe.hpp"

namespace takt::tools {

struct Reason {
  enum class Weight : std::uint8_t { unfit, care, note };
  Weight weight = Weight::note;
  std::string text;
};

struct Fitness {
  std::vector<Reason> reasons;
  nlohmann::ordered_json found;  ///< of every probe
  /// "fit", "fit with care" or "not fit".
  [[nodiscard]] std::string verdict() const;
};

struct FitnessLimits {
  double budget_s = 0.0;  ///< for one step
  std::chrono::milliseconds patience{10'000};
};

/// Runs all probes.
/// @param plan  what they share
[[nodiscard]] Fitness fitness_of(const fmu_host::TrialPlan& plan, const FitnessLimits& limits);

/// Judges the long run: times, memory, what it started and opened.
void judge_long_run(const nlohmann::json& found, const FitnessLimits& limits, std::vector<Reason>& reasons);

}  // namespace takt::tools
