#pragma once
// FMUs as subsystems.

#include <vector>

#include "codegen/dae/algebra/surrogate.hpp"
#include "codegen/text/diagnostics.hpp"
#include "codegen/topology/topology.hpp"

namespace takt::codegen {

/// Y134: a port gives what a storage of its circuit holds.
void check_ports(const Network& network, const TopologyResult& topology, Diagnostics& diagnostics);

/// One for each FMU of the plant, in its order.
[[nodiscard]] std::vector<Surrogate> foreign_surrogates(const Network& network);

}  // namespace takt::codegen
