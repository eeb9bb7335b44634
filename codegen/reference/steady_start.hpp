#pragma once
// Start of a reference run where another run began.

#include <map>
#include <set>
#include <string>

#include "codegen/reference/flat_system.hpp"
#include "codegen/topology/topology.hpp"

namespace takt::codegen {

/// Conserved sums that reduced circuits have as states in place of the storages in them, by the
/// paths these states have.
[[nodiscard]] std::map<std::string, Expr> conserved_sums_by_path(const Network& network,
                                                                 const TopologyResult& topology);

/// What is integrated in circuits of which no state is among these: a run begins with their start
/// values as given (circuits that PWM switches).
[[nodiscard]] std::set<SymbolId> not_started(const Network& network, const TopologyResult& topology,
                                             const std::map<std::string, double>& states);

/// The start rows of the flat system, which are solved together, so it does not matter which row
/// holds which, become these states of the reduced plant, by path.
/// @return start values of states of control blocks
/// @throw std::runtime_error  where they are not the states of this plant
[[nodiscard]] std::unordered_map<SymbolId, double> begin_with(
    const Network& network, const TopologyResult& topology,
    const std::map<std::string, double>& states, FlatSystem& flat);

}  // namespace takt::codegen
