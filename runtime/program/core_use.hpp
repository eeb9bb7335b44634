#pragma once
// On which CPUs a plant is computed, and what on which.

#include <filesystem>
#include <string>
#include <vector>

#include "runtime/executive/placement.hpp"
#include "runtime/plant/description.hpp"
#include "runtime/plant/input_script.hpp"
#include "runtime/stats/run_results.hpp"

namespace takt {

struct CoreUse {
  std::vector<int> cpus;  ///< by worker; -1: the system chooses
  Placement placement;    ///< empty: one worker
  ConcurrencyResult concurrency;
};

struct CoreWish {
  std::vector<int> cpus;            ///< one and up
  std::filesystem::path placement;  ///< file to read; empty: computed from measured costs
  bool paced = false;
};

/// With several CPUs the windows are measured first: the plant runs for a tenth of a second in memory of its own,
/// without its surroundings.
/// @throw std::runtime_error  "FILE:LINE: cause" of a placement file; CPUs that cannot be used in real time
[[nodiscard]] CoreUse choose_cores(const PlantDescription& plant, const CoreWish& wish, const InputScript& script);

/// What read it reads again.  @return text of the file
[[nodiscard]] std::string placement_text(const PlantDescription& plant, const Placement& placement);

}  // namespace takt
