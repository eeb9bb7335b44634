#pragma once
// Equations to unknowns, and the order of evaluation: internal steps of sort_equations().

#include <cstddef>
#include <optional>
#include <vector>

namespace takt::codegen {

/// Bipartite graph: for each equation the unknowns it contains, the preferred one first.
using Incidence = std::vector<std::vector<std::size_t>>;

struct Matching {
  std::vector<std::optional<std::size_t>> unknown_of;   ///< per equation
  std::vector<std::optional<std::size_t>> equation_of;  ///< per unknown
  [[nodiscard]] bool complete() const;
};

/// Maximum matching by augmenting paths; equations are tried in order, each first with its
/// preferred unknown. Which of many maximum matchings it is decides what is solved for what: a
/// library's, which has no preferences, would not do.
[[nodiscard]] Matching match(const Incidence& incidence, std::size_t unknown_count);

/// Strongly connected blocks of equations in order of evaluation; members ascending.
/// @pre the matching is complete
[[nodiscard]] std::vector<std::vector<std::size_t>> blocks_in_order(const Incidence& incidence,
                                                                    const Matching& matching);

}  // namespace takt::codegen
