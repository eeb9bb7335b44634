#pragma once
// What a core computes, shared out by rate: long windows that nobody waits for make way for short ones.

#include <cstddef>
#include <span>
#include <vector>

#include "runtime/executive/work_plan.hpp"

namespace takt {

struct RateSplit {
  Placement placement;               ///< by subsystem, the worker
  std::vector<std::size_t> core_of;  ///< by worker; those that lead on their cores come first
  std::vector<int> below;            ///< by worker: so many others of its core go first
};

/// Subsystems joined by exchanges with lag 0 stay in one thread of a core: they wait for each other within their H.
/// What is joined to the rest of its core by exchanges with lag 1 only, both ways, and is slower, gets a thread of its
/// own, of lower priority, if its windows together take more than a tenth of the shortest time between releases there.
/// Its values are of the same H as before: a window counts as computed at its end, wherever in its time it was.
/// @param cores  by subsystem  @param costs  seconds of computing time of a window, by subsystem
[[nodiscard]] RateSplit split_by_rate(const PlantDescription& plant, const Placement& cores,
                                      std::span<const double> costs);

/// What other processes compute while the rest of the plant computes. Each of them gets a thread of its own that waits
/// for it, unless nothing else is on its core.
[[nodiscard]] std::vector<std::size_t> foreign_alone(const PlantDescription& plant);

/// Whether some of the plant could be split off, whatever it costs.
[[nodiscard]] bool has_slower_parts(const PlantDescription& plant);

}  // namespace takt
