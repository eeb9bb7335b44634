#pragma once
// Sums of charges and of flux linkages that no switch, source or resistor can change.

#include <cstddef>
#include <unordered_map>

#include "codegen/topology/topology.hpp"

namespace takt::codegen {

/// Where a part of a circuit meets the rest through C branches alone, the sum of their charges is
/// constant; where L branches alone form a loop, the sum of their linkages is. One rate of each
/// such sum follows from the others instead of from its own law: so the rounding of potentials, of
/// one sign in each step of a steady state, does not add up over millions of steps.
/// @return rate of the stored quantity, by branch, for one C of every such cutset and one L of
/// every such loop
[[nodiscard]] std::unordered_map<BranchId, Expr> rates_by_sums(const Network& network,
                                                               std::size_t circuit);

}  // namespace takt::codegen
