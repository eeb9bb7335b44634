#pragma once
// Which files of a run directory are the run's. It keeps a list of them there, ".files", a name a line, each written
// before the file is made: also of a run that was killed, the next run there knows what it may take away.

#include <filesystem>
#include <string>
#include <string_view>

namespace takt {

/// The path of a file that a run makes in its directory; now on the list. Any thread or process of the run. Where
/// nobody has begun a list (begin_run_files()) it is only a path.
/// @throw std::runtime_error  something of this name is there, and no run has made it
[[nodiscard]] std::filesystem::path run_file(const std::filesystem::path& directory, const std::string& name);

/// write_whole() of a file on the list.
void write_run_file(const std::filesystem::path& directory, const std::string& name, std::string_view text);

/// By a run that has claimed the directory: takes away what an earlier one has listed, and begins its own list. What
/// no run has made stays.
/// @param had_run  an earlier run had claimed it: what is called as results are is of that run, listed or not
/// @throw std::runtime_error  names of results are taken by what no run has made; the list is of somebody else
void begin_run_files(const std::filesystem::path& directory, bool had_run);

/// Whether the run before in this directory has made this file: the next one takes it away.
[[nodiscard]] bool is_run_file(const std::filesystem::path& file);

}  // namespace takt
