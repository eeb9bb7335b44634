#pragma once
// Elimination of a sparse matrix with fixed pivots on the diagonal: which operations on which
// entries, in order.

#include <cstdint>
#include <utility>
#include <vector>

namespace takt::codegen {

struct SparseElimination {
  struct Entry {
    std::size_t row = 0, column = 0;
  };
  struct Update {  ///< entry `to` -= entry `lower` * entry `upper`
    std::size_t to = 0, lower = 0, upper = 0;
  };
  struct Pivot {
    std::size_t row = 0, diagonal = 0;  ///< entry
    std::vector<std::pair<std::size_t, std::size_t>> lower,
        upper;  ///< entry and row of what is below, entry and column right of it
    std::vector<Update> updates;
  };
  std::vector<Entry> entries;  ///< those given, then the diagonal where it was not, then fill-in
  std::vector<Pivot> pivots;   ///< in order of elimination
  std::size_t operations = 0;  ///< of a factorisation and a solution
};

/// @param entries  without repetition
/// The order is Markowitz's (H. M. Markowitz, Management Sci. 3 (1957)) among diagonal pivots.
[[nodiscard]] SparseElimination eliminate(std::size_t size,
                                          std::vector<SparseElimination::Entry> entries);

}  // namespace takt::codegen
