#pragma once
// The plan of a plant for the error that it, or --error, asks for: searched once, then kept beside its executable.

#include "tools/takt/build_plant.hpp"

namespace takt::tools {

/// Builds the plant by its own plan, searches, and puts the file of what was found into `solve`. Where nothing is to be
/// sought (Network::error_to_plan_for) it does nothing. Findings and progress go to stderr; S046 where the error is not
/// met, and as a note where trials saw a part of the run.
/// @return false after errors
[[nodiscard]] bool plan_for_error(PlantBuild& request);

/// The same, then builds. A plan whose times the user gives is kept, and judged: S046 where its error is more than
/// 1e-3, or not known, or that of a part of the run.
/// @return nullopt after errors
[[nodiscard]] std::optional<BuiltPlant> build_planned(PlantBuild request);

/// S056: why a free run of this length by the plan that was found takes too long.
/// @return a line; empty: it does not, or nobody sought a plan
[[nodiscard]] std::string too_long(const BuiltPlant& built, double span_s);

/// What is known of the plan by which a plant is built: its error, what each step costs, what limits, what to change
/// next. Nothing is sought.
/// @return lines; empty where no error is asked for
[[nodiscard]] std::string known_accuracy(const PlantBuild& request, const codegen::Checked& checked);

}  // namespace takt::tools
