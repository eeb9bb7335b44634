#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace takt::tools {

/// Name, of a file below the folder, and bytes.
using NewFiles = std::vector<std::pair<std::string, std::string_view>>;

/// "demo/" is "demo", "." the name of the folder in which this process stands.
[[nodiscard]] std::string name_of_folder(const std::filesystem::path& folder);

/// Nothing has its name, or an empty folder.
[[nodiscard]] bool is_free_for_folder(const std::filesystem::path& folder);

/// The folder is made, and holds all or is not there. Nothing else is touched. One that is there, and empty, stays the
/// same folder: somebody may stand in it.
/// @throw std::runtime_error
void write_new_folder(const std::filesystem::path& folder, const NewFiles& files);

}  // namespace takt::tools
