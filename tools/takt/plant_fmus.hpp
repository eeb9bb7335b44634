#pragma once
// The FMUs of a plant, laid beside its executable.

#include <filesystem>

#include "codegen/model/network.hpp"

namespace takt::tools {

/// Unpacks each FMU below directory/fmu and puts takt-fmu-host there: what the executable in directory/bin starts.
/// @return false after a report
[[nodiscard]] bool lay_out_fmus(const codegen::Network& network, const std::filesystem::path& directory);

}  // namespace takt::tools
