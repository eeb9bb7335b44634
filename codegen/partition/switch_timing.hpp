#pragma once
// What of switches depends on steps and windows.

#include "codegen/partition/plan.hpp"
#include "codegen/topology/topology.hpp"

namespace takt::codegen {

/// Findings: W002 switch that isolates an inductor, with a snubber that the step resolves; W005 and W006 periods of PWM legs
/// beside the step; W007 edges of timed gates outside of their window.
/// @param plan  may be empty, after errors: then only W002, for the step that would be proposed
void check_switch_timing(const Network& network, const TopologyResult& topology, const Plan& plan, Diagnostics& diagnostics);

}  // namespace takt::codegen
