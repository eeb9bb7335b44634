#pragma once
// What is tried with an FMU, each in a process of its own. All of it is found in JSON, as `takt fmu test --json` prints
// it.

#include <nlohmann/json.hpp>

#include "tools/fmu_host/session.hpp"

namespace takt::fmu_host {

/// Many steps, each timed: percentiles, worst step, trends of time and memory, page faults, waits, threads, files.
[[nodiscard]] nlohmann::json long_run(const TrialPlan& plan, TrialProgress& progress);

/// The digest of a short run, in a fresh process.
[[nodiscard]] nlohmann::json short_run(const TrialPlan& plan, TrialProgress& progress);
/// The same twice in one instance, with a reset between.
[[nodiscard]] nlohmann::json reset_run(const TrialPlan& plan, TrialProgress& progress);
/// The same in two instances, a step of each in turn.
[[nodiscard]] nlohmann::json two_instances(const TrialPlan& plan, TrialProgress& progress);
/// Half of it, the state taken, the other half; then that again from the state, and from its bytes in another instance.
[[nodiscard]] nlohmann::json state_run(const TrialPlan& plan, TrialProgress& progress);
/// All inputs held at one value, that of the plan.
[[nodiscard]] nlohmann::json input_run(const TrialPlan& plan, TrialProgress& progress);

}  // namespace takt::fmu_host
