#pragma once
// The plan of a plant with other steps and times.

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/plant/description.hpp"

namespace takt {

/// A description of the same plant, in memory of its own, with other micro-steps; if asked for, with other times after
/// which subsystems exchange. Control blocks keep the instants at which they execute.
struct RefinedPlan {
  PlantDescription plant;
  std::int64_t divisor = 1;  ///< its macro-steps in one advance()
  std::int64_t finest = 1;   ///< largest divisor of micro-steps
  bool other_times = false;  ///< of exchange: histories of a run by the plant's own plan do not fit
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

/// Times of a plan, as its description orders subsystems and groups.
struct PlanTimes {
  std::vector<std::int64_t> step_ns;    ///< of subsystems; those of control blocks follow their groups
  std::vector<std::int64_t> period_ns;  ///< of groups
  double nudge = 0.0;  ///< in trials, after the first sample: by this part of themselves states are then off

  [[nodiscard]] bool operator==(const PlanTimes&) const = default;
};

/// The plan with these times. Methods, orders and the order of windows stay.
/// @param advance_ns  what one advance() covers: a multiple of the outermost time
/// @throw std::invalid_argument  which times do not fit together
[[nodiscard]] RefinedPlan with_times(const PlantDescription& plant, const PlanTimes& times, std::int64_t advance_ns);

}  // namespace takt
