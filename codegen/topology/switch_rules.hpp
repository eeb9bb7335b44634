#pragma once
// What switches do to a circuit: loops they close and inductors they leave without a path. Found
// offline for all states of gates and diodes at once; what gates could still do is watched at run
// time (X010, X011).

#include "codegen/text/diagnostics.hpp"
#include "codegen/topology/topology.hpp"

namespace takt::codegen {

/// Fills loops, surges, floating and voltage_ratio of the electric circuits with switches.
/// Findings: W001 loop that gates short, W003 capacitors joined by a switch, W004 leg without dead
/// time, W008 value beyond any device, and T013 of all circuits. (W002, W005-W007 depend on steps:
/// codegen/partition/switch_timing.hpp)
void analyse_switches(const Network& network, TopologyResult& topology, Diagnostics& diagnostics);

/// "shoot-through: electric.high and electric.low close a loop with electric.source"
[[nodiscard]] std::string loop_text(const Network& network, const SwitchLoop& loop);

/// "electric.s cuts off the current of electric.choke"
[[nodiscard]] std::string cut_off_text(const Network& network, const FloatingInductor& floating);

/// "electric.high, electric.low and electric.source"
[[nodiscard]] std::string path_list(const Network& network, const std::vector<BranchId>& branches);

}  // namespace takt::codegen
