#pragma once
// Where a run of a plant began, and how closely it looked: for what computes the same plant otherwise.

#include <map>
#include <string>

#include "codegen/plan/plan.hpp"

namespace takt::tools {

/// States by path, as summary.json of a run has them.  @throw UsageError  the run did not begin with a steady state
[[nodiscard]] std::map<std::string, double> steady_states(const std::string& directory);

/// Gates that follow time are looked at as often as the fastest subsystem does in a run.
[[nodiscard]] double shortest_step_s(const codegen::Plan& plan);

}  // namespace takt::tools
