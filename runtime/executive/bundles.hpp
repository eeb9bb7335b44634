#pragma once
// Which windows of a worker are computed at once: copies of a part that follow one another and wait for the same.

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/executive/work_plan.hpp"
#include "runtime/plant/bundled_run.hpp"
#include "runtime/plant/description.hpp"

namespace takt {

struct Bundle {
  std::uint32_t copies = 1;  ///< slots, this one and those behind it
  void (*together)(std::byte* const* own, std::size_t copies, const Window&) noexcept = nullptr;
};

/// By slot of the worker: what begins there. Those of a bundle exchange nothing with each other, begin and end
/// together, are due together, and what they wait for of other workers stands in the schedule before all of them; so
/// they may be fed at once, and nobody waits for ever: neither another worker, nor the leader before the next instant
/// for what is due.
[[nodiscard]] std::vector<Bundle> find_bundles(const PlantDescription& plant, const WorkPlan& work,
                                               std::uint16_t worker, std::span<const BundledRun> known);

}  // namespace takt
