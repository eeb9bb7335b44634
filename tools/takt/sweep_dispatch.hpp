#pragma once
// Runs of a sweep that somebody else computes: takt sweep --dispatch tells which on standard output and reads on
// standard input what has come of them, a JSON object in each line. Table, points and resumption stay here.

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace takt::tools {

/// What has come of a run. Its folder is in its place by then.
struct DispatchedRun {
  std::size_t point = 0;
  int exit_code = 0;
  std::string output;  ///< of the executable
};

class SweepDispatch {
 public:
  /// Tells what all runs have in common: the executable, then its arguments.
  explicit SweepDispatch(const std::vector<std::string>& command);
  /// @param arguments  those that only this run has
  /// @throw std::runtime_error  standard output is closed
  void tell(std::size_t point, const std::vector<std::string>& arguments, const std::filesystem::path& out);
  /// Waits for the next one.  @throw std::runtime_error  standard input has ended, or what came is no answer
  [[nodiscard]] DispatchedRun next();
  [[nodiscard]] std::size_t under_way() const { return under_way_.size(); }

 private:
  std::vector<std::size_t> under_way_;  // points, in ascending order
};

/// Becomes `python3 -m takt.cluster`, which has this command tell its runs, and the cluster compute them.
/// @param arguments  of takt sweep, --scheduler among them
/// @return  exit code, where it could not begin
/// @throw UsageError  there is no such Python package
[[nodiscard]] int sweep_on_cluster(const std::string& scheduler, std::vector<std::string> arguments);

}  // namespace takt::tools
