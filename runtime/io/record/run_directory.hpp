#pragma once

#include <filesystem>
#include <string>

#include "runtime/io/file_lock.hpp"

namespace takt {

/// Where one run writes. It belongs to that run until this is gone.
struct RunDirectory {
  std::filesystem::path path;
  FileLock claim;
};

/// The directory for the results: `wanted`, or the first free runs/MODEL-N. Created; what an earlier run left there
/// under the names of summary and report is removed, so that nothing old stands beside something new.
/// @throw std::runtime_error  with path and cause; where another run is writing there
[[nodiscard]] RunDirectory make_run_directory(const std::filesystem::path& wanted, const std::string& model);

/// "was not finished", and where it is so: " (it is still under way)".  @param log  a run directory, or the log in it
[[nodiscard]] std::string not_finished(const std::filesystem::path& log);

}  // namespace takt
