#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace takt::tools {

/// Name and bytes.
using NewFiles = std::vector<std::pair<std::string, std::string_view>>;

/// The folder is made, and holds all or is not there. Nothing else is touched.
/// @param folder  not there, or empty
/// @throw std::runtime_error
void write_new_folder(const std::filesystem::path& folder, const NewFiles& files);

}  // namespace takt::tools
