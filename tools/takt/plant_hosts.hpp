#pragma once
// What a plant on several hosts needs beside its executable.

#include <filesystem>

#include "codegen/rig/rig.hpp"

namespace takt::tools {

/// Puts takt-host-link into directory/hosts: what the executable in directory/bin starts.
/// @return false after a report
[[nodiscard]] bool lay_out_hosts(const codegen::Rig& rig, const std::filesystem::path& directory);

}  // namespace takt::tools
