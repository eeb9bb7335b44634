#pragma once
// Which rates a state moves, found by moving it.

#include <cstdint>
#include <vector>

#include "runtime/offline/integrate.hpp"

namespace takt::offline {

/// Of a square matrix in compressed columns; the diagonal is always there.
struct Pattern {
  std::vector<std::int64_t> start, row;
  std::vector<std::vector<std::size_t>> groups;  ///< columns of states; those of a group share no row
};

/// Each state is moved, from a few points around z; an entry that is zero at all of them is missing, which can only
/// slow Newton's method.
[[nodiscard]] Pattern find_pattern(const System& system, double t, const double* z);

}  // namespace takt::offline
