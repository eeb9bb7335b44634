#pragma once
// What `takt bench` shows: medians over several free runs.

#include <cstdint>
#include <string>
#include <vector>

namespace takt::tools {

struct BenchSubsystem {
  std::string name, method;
  double step_s = 0.0, sync_s = 0.0;
  std::uint32_t equations = 0;
  std::uint64_t windows = 0;
  double rtf = 0.0;  ///< mean of the run
};

/// One run, from its summary.json.
struct BenchRun {
  std::string model, digest;
  double simulated_s = 0.0, wall_s = 0.0, rtf = 0.0;
  double executive_ns_per_window = 0.0;  ///< between windows; their own time holds exchanges and digest, too
  std::vector<BenchSubsystem> subsystems;
};

/// @throw std::runtime_error  where the text is not a summary
[[nodiscard]] BenchRun read_bench_run(const std::string& summary_json);

/// Field by field the median of the runs; names and numbers of windows from the first.  @pre runs is not empty
[[nodiscard]] BenchRun median(const std::vector<BenchRun>& runs);

[[nodiscard]] std::string bench_text(const std::vector<BenchRun>& runs);
[[nodiscard]] std::string bench_json(const std::vector<BenchRun>& runs);

}  // namespace takt::tools
