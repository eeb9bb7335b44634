#pragma once
// The method of one subsystem that is integrated in steps. Internal to codegen/partition.

#include <cstdint>

#include "codegen/plan/plan.hpp"

namespace takt::codegen {

/// One subsystem to be given its method and step, and what is known of it.
struct StepTask {
  PlanSubsystem& subsystem;
  const Network& network;
  const DaeResult& dae;
  const Surrogate& surrogate;
  SolveSetting setting;
  std::int64_t period_ns = 0;  ///< of its group
};

/// The one asked for where it can integrate the subsystem, else another, after a report (S003, S050
/// to S052, S058); the cheapest of order 2 where none is asked for.
void choose_method(const StepTask& task, Diagnostics& diagnostics);

}  // namespace takt::codegen
