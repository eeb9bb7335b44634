#pragma once
// The commands of `takt fmu`, one file each.

namespace takt::tools {

int fmu_export_command(int argc, char** argv);  ///< plant -> FMU

}  // namespace takt::tools
