#pragma once
// Where the tap of a run is, and a connection to it.

#include <filesystem>
#include <string>

namespace takt::tools {

/// @param run  a directory, or its name under ./runs
/// @throw UsageError  there is none
[[nodiscard]] std::filesystem::path run_directory(const std::string& run);
/// @param kind  SOCK_NONBLOCK: it never waits, not for a place at the tap either; 0: it does
/// @return a socket, the caller's from here on; below 0: there is none, errno says why
[[nodiscard]] int connect_to_tap(const std::filesystem::path& directory, int kind = 0);
/// Of errno after connect_to_tap().
[[nodiscard]] std::string why_no_tap(const std::filesystem::path& directory, int error);

}  // namespace takt::tools
