#pragma once
// What is tried with an FMU, each in a process of its own. All of it is found in JSON, as `takt fmu test --json` prints
// it.

#include "tools/takt/fmu_session.hpp"

namespace takt::tools {

/// Many steps, each timed: percentiles, worst step, trends of time and memory, page faults, waits, threads, files.
[[nodiscard]] nlohmann::json long_run(const FitnessPlan& plan, ProbeProgress& progress);

/// The digest of a short run, in a fresh process.
[[nodiscard]] nlohmann::json short_run(const FitnessPlan& plan, ProbeProgress& progress);
/// The same twice in one instance, with a reset between.
[[nodiscard]] nlohmann::json reset_run(const FitnessPlan& plan, ProbeProgress& progress);
/// The same in two instances, a step of each in turn.
[[nodiscard]] nlohmann::json two_instances(const FitnessPlan& plan, ProbeProgress& progress);
/// Half of it, the state taken, the other half; then that again from the state, and from its bytes in another instance.
[[nodiscard]] nlohmann::json state_run(const FitnessPlan& plan, ProbeProgress& progress);
/// All inputs held at one value.
[[nodiscard]] nlohmann::json input_run(const FitnessPlan& plan, ProbeProgress& progress, double value);

}  // namespace takt::tools
