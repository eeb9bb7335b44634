#pragma once
// The other way round: the most accurate plan that this machine holds in real time.

#include <optional>
#include <string>
#include <vector>

#include "tools/takt/planned_times.hpp"

namespace takt::tools {

/// Real-time factors of the macro-steps of a paced run; infinite where it was not made.
struct PacedCost {
  double mean = 0.0, p99 = 0.0, max = 0.0;
  std::string largest;        ///< the subsystem that costs most
  double largest_part = 0.0;  ///< of what all cost
  std::string problem;        ///< why there is none
};

struct RatedPlan {
  PlannedTimes planned;
  PacedCost cost;
  bool holds = false;  ///< 99 % of its macro-steps are within the budget, and its error is met
};

/// Plans for errors from 0.1 to 1e-7 are searched and run in real time, from 1e-3 to where they no longer hold.
struct BudgetPlan {
  std::vector<RatedPlan> rated;     ///< in the order tried
  std::optional<std::size_t> best;  ///< of `rated`; none holds without
};

/// @param budget  real-time factor
[[nodiscard]] BudgetPlan plan_for_budget(const BuiltPlant& plant, double budget, const PlanWish& wish);

/// The plans tried, a line each, and the verdict.
[[nodiscard]] std::string budget_text(const codegen::Checked& checked, const BudgetPlan& plan, double budget);

}  // namespace takt::tools
