#pragma once
// What parts of the electric network have in common beside the ground: an internal step of
// find_circuits().

#include <utility>
#include <vector>

#include "codegen/model/network.hpp"

namespace takt::codegen {

/// Pairs of electric branches that belong to one circuit although no node but the ground need join
/// them: a law, a state, a mode or another expression of the one's element reads a variable of the
/// other's, or one modulator drives the gates of both. The ground's potential is known, so what no
/// such tie joins can be solved apart: that loses nothing.
[[nodiscard]] std::vector<std::pair<BranchId, BranchId>> ties_across_ground(const Network& network);

}  // namespace takt::codegen
