#pragma once
// What a search of plans found, as data that is kept beside the plan, and the same for people.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tools/takt/planned_times.hpp"

namespace takt::tools {

/// `takt plan --json`.
[[nodiscard]] nlohmann::ordered_json plan_report(const BuiltPlant& plant, const PlannedTimes& planned);
[[nodiscard]] nlohmann::ordered_json estimate_report(const codegen::PlanEstimate& estimate);

/// Of plan_report(): S056 where trials saw hardly anything and a free run of `span_s` takes too long.
/// @return a line; empty: it does not
[[nodiscard]] std::string too_long_text(const nlohmann::ordered_json& report, double span_s);

/// Of plan_report(): each step and time with what it costs, what limits, the next cheaper and the next more accurate
/// plan. Lines, indented by two.
[[nodiscard]] std::string steps_text(const nlohmann::ordered_json& report);

}  // namespace takt::tools
