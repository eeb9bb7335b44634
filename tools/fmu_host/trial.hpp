#pragma once
// The host of one trial: the plan comes on standard input, the files of TrialFile are open.

namespace takt::fmu_host {

/// @return exit code of the process
int run_trial();

}  // namespace takt::fmu_host
