#pragma once
// What of switches depends on steps and windows.

#include "codegen/plan/plan.hpp"
#include "codegen/topology/topology.hpp"

namespace takt::codegen {

/// Findings: W002 switch that isolates an inductor, with a snubber that the step resolves; W005 and
/// W006 periods of PWM legs beside the step; W007 edges of timed gates outside of their window.
/// @param plan  may be empty, after errors: then only W002, for the step that would be proposed
void check_switch_timing(const Network& network, const TopologyResult& topology, const Plan& plan,
                         Diagnostics& diagnostics);

/// The longest step that W006 does not warn of, ns; nullopt where no PWM leg of this circuit has a
/// frequency that is known.
[[nodiscard]] std::optional<std::int64_t> step_for_pwm_ns(const Network& network,
                                                          const SwitchedCircuit& part);

}  // namespace takt::codegen
