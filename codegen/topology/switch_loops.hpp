#pragma once
// Loops of voltage sources, capacitors and gated switches: an internal step of analyse_switches().

#include "codegen/topology/gate_relations.hpp"

namespace takt::codegen {

/// Loops whose switches can conduct one way round, each set of switches once. Bounded: of very many
/// the shortest are found. Not followed: loops through two-ports.
[[nodiscard]] std::vector<SwitchLoop> find_switch_loops(
    const Network& network, const CircuitTopology& circuit,
    const std::vector<SwitchingBranch>& switches, const NominalValues& values);

}  // namespace takt::codegen
