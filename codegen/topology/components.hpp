#pragma once
// Disjoint sets.

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace takt::codegen {

/// Sets of the numbers below `size`; the smallest member is the representative, so the order is deterministic.
class Components {
 public:
  explicit Components(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }
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

}  // namespace takt::codegen
