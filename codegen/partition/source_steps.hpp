#pragma once
// Steps that see how functions of the time move.

#include "codegen/partition/stable_steps.hpp"
#include "codegen/text/diagnostics.hpp"

namespace takt::codegen {

/// The same question; what is proposed follows functions of the time.
[[nodiscard]] StepQuestion following_sources(const StepQuestion& question);

/// Reports S057: a function of the time is narrower than the step, if only for a while.
void check_narrow(const PlanSubsystem& subsystem, const TimeFunctions& functions,
                  const Location& where, Diagnostics& diagnostics);

/// Reports S044 (a source turns faster than the step), and what check_narrow() does.
void check_sources(const PlanSubsystem& subsystem, const StepQuestion& question,
                   Diagnostics& diagnostics);

}  // namespace takt::codegen
