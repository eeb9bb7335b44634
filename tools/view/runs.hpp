#pragma once
// Runs of this machine that can be asked, or could.

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace takt::view {

struct Run {
  std::filesystem::path directory;
  bool is_named = false;    ///< by whoever started takt view
  bool is_open = false;     ///< its tap is there
  bool has_report = false;  ///< report.html has been written
};

/// Those that were named, those under ./runs, and those of other directories whose tap is served by a process of this
/// user. Looked for once a second at most.
class Runs {
 public:
  explicit Runs(std::vector<std::filesystem::path> named) : named_(std::move(named)) {}
  /// Those that are open come first, of them those that were named. One that was open once stays.
  [[nodiscard]] const std::vector<Run>& now();
  /// @param directory  one of theirs, as they are listed; empty: the first that is open
  /// @return nothing: none of them, whatever else lies there
  [[nodiscard]] std::optional<Run> find(std::string_view directory);

 private:
  void look();
  void add(const std::filesystem::path& directory, bool named);

  std::vector<std::filesystem::path> named_;
  std::vector<Run> runs_;
  std::chrono::steady_clock::time_point looked_{};
};

/// A file of a run's directory, as bytes. @return nothing: no ordinary file of that name, or larger than 64 MiB
[[nodiscard]] std::optional<std::string> file_of_run(const std::filesystem::path& directory, const char* name);

}  // namespace takt::view
