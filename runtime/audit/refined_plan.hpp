#pragma once
// The plan of a plant with shorter steps.

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/plant/description.hpp"

namespace takt {

/// A description of the same plant, in memory of its own, whose micro-steps are a part as long; if asked for, so are
/// the times after which subsystems exchange. Control blocks keep the instants at which they execute.
struct RefinedPlan {
  PlantDescription plant;
  std::int64_t divisor = 1;  ///< of the synchronisation times
  std::int64_t finest = 1;   ///< largest divisor of micro-steps
  std::vector<SubsystemDescription> subsystems;
  std::vector<GroupPlan> groups;
  std::vector<WindowPlan> windows;
  std::vector<ExchangePlan> exchanges;
};

/// The plan as it is.
[[nodiscard]] RefinedPlan same_plan(const PlantDescription& plant);
/// Micro-steps divided by the first of 5, 3, 7, 2, 4, 10 that gives whole nanoseconds; as they are where none does.
[[nodiscard]] RefinedPlan with_shorter_steps(const PlantDescription& plant);
/// All times of the plan divided by the same number; nothing where none divides them all.
[[nodiscard]] std::optional<RefinedPlan> with_shorter_times(const PlantDescription& plant);

}  // namespace takt
