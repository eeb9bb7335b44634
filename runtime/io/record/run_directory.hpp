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

/// The directory for the results: `wanted`, or the first free runs/MODEL-N. Created; what an earlier run left there is
/// removed (run_files.hpp), so that nothing old stands beside something new.
/// @throw std::runtime_error  with path and cause; where another run is writing there; where others could lead what is
/// written elsewhere
[[nodiscard]] RunDirectory make_run_directory(const std::filesystem::path& wanted, const std::string& model);

/// A folder for the results of several runs, and tables of them: made where it is not there.
/// @throw std::runtime_error  with path and cause; where others could lead what is written elsewhere
void make_results_folder(const std::filesystem::path& folder);

/// "was not finished", and where it is so: " (it is still under way)".  @param log  a run directory, or the log in it
[[nodiscard]] std::string not_finished(const std::filesystem::path& log);

}  // namespace takt
