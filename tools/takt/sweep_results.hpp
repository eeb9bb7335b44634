#pragma once
// What is kept of each run of a sweep, and the table that all of them make. The table grows by a line with each run
// that ends, so that a sweep that was stopped goes on where it was.

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "tools/takt/sweep_points.hpp"

namespace takt::tools {

/// "PATH" or "PATH:last|min|max|mean|rms" of a recorded signal.
struct SweepResult {
  std::string path, what = "last";
  [[nodiscard]] std::string title() const { return path + ":" + what; }
};
/// @throw UsageError
[[nodiscard]] SweepResult parse_result(const std::string& text);

/// One line of the table.
struct SweepRow {
  bool ok = false;           ///< reached its end, and its results can be trusted
  bool interrupted = false;  ///< somebody has ended it: no row
  std::string not_recorded;  ///< a result that the plant does not record
  int exit_code = 0;
  std::string simulated_s, rtf, digest, cause;
  std::vector<std::string> results;
};

/// Reads what a run has left in its folder.
[[nodiscard]] SweepRow read_row(const std::filesystem::path& run, int exit_code, const std::string& output,
                                const std::vector<SweepResult>& results);

/// sweep.csv. Phases: construct (reads what is there), add(), finish().
class SweepTable {
 public:
  /// Runs that failed are not taken over: they are run again. Where other results were asked for before, rows stand as
  /// they were until add() has been called for each.
  /// @param heads  names with units
  /// @throw UsageError  the file is that of another sweep
  SweepTable(std::filesystem::path file, const SweepPoints& points, const std::vector<std::string>& heads,
             const std::vector<SweepResult>& results);
  [[nodiscard]] bool has(std::size_t point) const { return rows_.contains(point); }
  /// Whether the run of a point that is there was in order.
  [[nodiscard]] bool is_ok(std::size_t point) const { return has(point) && rows_.at(point).starts_with("ok"); }
  /// Thread-safe where the caller locks.  @throw std::runtime_error  it cannot be written
  void add(std::size_t point, const SweepRow& row);
  /// The whole table anew, in the order of the points.
  void finish();
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  /// The file has other results than those asked for now.
  [[nodiscard]] bool has_other_results() const { return other_results_; }
  /// In place of those rows: what the kept runs give. Those that are gone are to be run again.
  void replace(const std::map<std::size_t, SweepRow>& rows);

 private:
  [[nodiscard]] std::string line_of(std::size_t point) const;
  std::filesystem::path file_;
  const SweepPoints& points_;
  [[nodiscard]] static std::string rest_of(const SweepRow& row);
  std::string head_;
  bool other_results_ = false;
  std::map<std::size_t, std::string> rows_;  // what stands behind the values of the point
  std::ofstream growing_;
};

}  // namespace takt::tools
