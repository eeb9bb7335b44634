#pragma once
// Network rules of the papers that the tree does not judge: assumptions 1 and 2 on fluid-solid
// networks.

#include "codegen/topology/topology.hpp"

namespace takt::codegen {

/// Warns of what assumption 1 of the papers excludes to keep the graph simple, where it has one
/// obvious meaning and is more often a mistake than meant: R001 parallel pipes or pumps (a pump and
/// the pipe back are a loop), R002 several demands or heat sources at a junction, R003 a reservoir
/// with several pipes, R004 and R006 parallel heat transfers, R005 several heat sources at a wall;
/// of what assumption 2 excludes: R007 a cycle of pumps, R008 pumps between reservoirs; and R013
/// volumes that share one pressure. Members of one array stand beside each other on purpose. The
/// table of all rules is in config/network_rules.md.
void check_network_rules(const Network& network, const TopologyResult& topology,
                         Diagnostics& diagnostics);

}  // namespace takt::codegen
