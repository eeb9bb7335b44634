#pragma once
// Start of a reference run where another run began.

#include <map>
#include <string>

#include "codegen/model/network.hpp"
#include "codegen/topology/topology.hpp"

namespace takt::codegen {

/// Conserved sums that reduced circuits have as states in place of the storages in them, by the paths these states have.
[[nodiscard]] std::map<std::string, Expr> conserved_sums_by_path(Network& network, const TopologyResult& topology);

}  // namespace takt::codegen
