#pragma once
// Arguments that several commands share.

#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace takt::tools {

/// Wrong use of a command; takt.cpp prints it and ends with exit_usage.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The plant file named by an argument: a .toml file, or a folder with a plant.toml.
/// @throws UsageError  where there is none
[[nodiscard]] std::filesystem::path plant_file(const std::string& argument);

/// @param what  for the message, e.g. "rig"
/// @throws UsageError  where it is not a file
[[nodiscard]] std::filesystem::path existing_file(const std::string& argument, const std::string& what);

/// `--set name=value` as pairs.
/// @throws UsageError  where there is no '='
[[nodiscard]] std::vector<std::pair<std::string, std::string>> overrides(const std::vector<std::string>& settings);

}  // namespace takt::tools
