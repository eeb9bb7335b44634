#pragma once

#include <filesystem>
#include <string>

namespace takt {

/// The directory for the results: `wanted`, or the first free runs/MODEL-N. Created; what an earlier run left there
/// under the names of summary and report is removed, so that nothing old stands beside something new.
/// @throw std::runtime_error  with path and cause
[[nodiscard]] std::filesystem::path make_run_directory(const std::filesystem::path& wanted, const std::string& model);

}  // namespace takt
