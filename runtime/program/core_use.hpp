#pragma once
// On which CPUs a plant is computed, and what on which.

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "runtime/executive/placement.hpp"
#include "runtime/plant/bundled_run.hpp"
#include "runtime/plant/description.hpp"
#include "runtime/plant/input_script.hpp"
#include "runtime/stats/run_results.hpp"

namespace takt {

struct CoreUse {
  std::vector<int> cpus;   ///< by worker; -1: the system chooses
  std::vector<int> below;  ///< by worker: so many other threads of its CPU go first
  Placement placement;     ///< empty: one worker
  Placement cores;         ///< by subsystem, the CPU as counted in the wish; empty: one
  ConcurrencyResult concurrency;
  std::vector<std::string> warnings;
};

struct CoreWish {
  std::vector<int> cpus;            ///< one and up
  std::filesystem::path placement;  ///< file to read; empty: computed from measured costs
  bool paced = false;
  std::span<const BundledRun> bundled = {};  ///< of the plant
};

/// Seconds of computing time of a window, by subsystem: the plant runs for a tenth of a second in memory of its own.
[[nodiscard]] std::vector<double> window_costs(const PlantDescription& plant, std::span<const BundledRun> bundled,
                                               const InputScript& script, int cpu);

/// In real time, long windows that nobody waits for get threads of lower priority (rate_split.hpp).
/// With several CPUs, or where there are such windows, all are measured first: the plant runs for a tenth of a second
/// in memory of its own, without its surroundings.
/// @throw std::runtime_error  "FILE:LINE: cause" of a placement file; CPUs that cannot be used in real time
[[nodiscard]] CoreUse choose_cores(const PlantDescription& plant, const CoreWish& wish, const InputScript& script);

/// What read it reads again.  @return text of the file
[[nodiscard]] std::string placement_text(const PlantDescription& plant, const Placement& placement);

}  // namespace takt
