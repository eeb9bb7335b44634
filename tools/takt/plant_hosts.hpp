#pragma once
// What a plant on several hosts needs beside its executable.

#include <filesystem>
#include <string>
#include <vector>

#include "codegen/rig/rig.hpp"

namespace takt::tools {

/// Puts takt-host-link into directory/hosts: what the executable in directory/bin starts.
/// @return false after a report
[[nodiscard]] bool lay_out_hosts(const codegen::Rig& rig, const std::filesystem::path& directory);

struct BuiltPlant;
/// Starts the plant on every host of the rig but the first: as a process of this machine, which ends with this one, or
/// over ssh (TAKT_SSH: another command), where the executable and what it needs are copied first.
/// @param extras  options of the executable: with --host or --one-host nothing is started
/// @return false after a report
[[nodiscard]] bool start_hosts(const codegen::Rig& rig, const BuiltPlant& plant,
                               const std::vector<std::string>& extras);

}  // namespace takt::tools
