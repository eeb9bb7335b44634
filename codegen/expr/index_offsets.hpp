#pragma once
// How often each equation of a differential-algebraic system must be differentiated until the
// highest derivatives are determined: the offsets of Pryce's signature method, by an assignment of
// equations to variables and a fixed point. Works on incidence alone. Another way than
// codegen/dae/structural (Pantelides), so that the one checks the other. Source: J. D. Pryce, "A
// simple structural analysis method for DAEs", BIT 41 (2001).

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace takt::codegen {

/// By equation: its variables, each with the highest order of derivative by which it is named.
using Signature = std::vector<std::vector<std::pair<std::size_t, int>>>;

struct IndexOffsets {
  std::vector<int> equations;  ///< how often each is differentiated
  std::vector<int> variables;  ///< the highest order of derivative of each
};

/// The smallest ones.
/// @param at_least  orders of derivatives that are asked for, by variable, or empty
/// @return nothing where equations cannot be assigned to variables, one to each
/// @pre as many variables as equations
[[nodiscard]] std::optional<IndexOffsets> index_offsets(const Signature& signature,
                                                        std::vector<int> at_least = {});

}  // namespace takt::codegen
