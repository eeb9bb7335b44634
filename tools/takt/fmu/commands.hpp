#pragma once
// The sub-commands of `takt fmu` that call an FMU.

namespace takt::tools {

int fmu_run_command(int argc, char** argv);
int fmu_test_command(int argc, char** argv);

}  // namespace takt::tools
