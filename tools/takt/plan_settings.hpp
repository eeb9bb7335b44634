#pragma once
// A plan with other times, as a parametrisation for --solve.

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/pipeline.hpp"
#include "runtime/audit/refined_plan.hpp"

namespace takt::tools {

struct PlanSettings {
  std::string title;
  PlanTimes times;
  double tolerance_part = 1.0;  ///< of methods that choose their steps
};

/// What is recorded is written out, so that both runs have the same signals.
[[nodiscard]] std::string plan_settings(const codegen::Checked& checked, const PlanSettings& settings);

/// [sync] of two rates and what is recorded: these subsystems every inner_ns, all others every outer_ns.
[[nodiscard]] std::string two_rates(const codegen::Checked& checked, const std::vector<std::size_t>& fast,
                                    std::int64_t inner_ns, std::int64_t outer_ns);

/// Groups as they are, these methods, and what is recorded.
/// @param methods  parallel to the plan's subsystems; nullptr: nothing is said
[[nodiscard]] std::string other_methods(const codegen::Checked& checked,
                                        const std::vector<const codegen::Method*>& methods);

/// Steps and, where asked for, synchronisation times are halved; a step that has no half in whole nanoseconds takes the
/// largest divisor of its window below.
[[nodiscard]] std::string half_steps(const codegen::Checked& checked, bool half_exchange);

}  // namespace takt::tools
