#pragma once
// Disjoint sets.

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace takt::graph {

/// Sets of the numbers below `size`. The smallest member stands for its set, so that the order of sets is that of their
/// nodes; Boost's disjoint_sets calls them by whichever member its rank heuristic favours.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }
  std::size_t find(std::size_t member) {
    while (parent_[member] != member) member = parent_[member] = parent_[parent_[member]];
    return member;
  }
  void join(std::size_t a, std::size_t b) {
    a = find(a), b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::size_t> parent_;
};

}  // namespace takt::graph
