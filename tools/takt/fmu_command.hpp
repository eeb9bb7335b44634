#pragma once
// The commands of `takt fmu`, one file each.

namespace takt::tools {

/// Of a takt that was built without FMUs: what is missing, and what installs it.
inline constexpr const char* built_without_fmus =
    "takt fmu: this takt was built without FMUs\n"
    "  install the headers of FMI and the package libzip-dev (`tools/install_packages.sh build` does), then configure "
    "and build takt again\n";

int fmu_export_command(int argc, char** argv);  ///< plant -> FMU

}  // namespace takt::tools
