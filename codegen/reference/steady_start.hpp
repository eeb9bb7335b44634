#pragma once
// Start of a reference run where another run began.

#include <map>
#include <set>
#include <string>

#include "codegen/model/network.hpp"
#include "codegen/topology/topology.hpp"

namespace takt::codegen {

/// Conserved sums that reduced circuits have as states in place of the storages in them, by the paths these states
/// have.
[[nodiscard]] std::map<std::string, Expr> conserved_sums_by_path(const Network& network,
                                                                 const TopologyResult& topology);

/// What is integrated in circuits of which no state is among these: a run begins with their start values as given
/// (circuits that PWM switches).
[[nodiscard]] std::set<SymbolId> not_started(const Network& network, const TopologyResult& topology,
                                             const std::map<std::string, double>& states);

}  // namespace takt::codegen
