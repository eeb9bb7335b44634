#pragma once
// Linear equations in blocks: dense LU in each block, substitution from block to block.

#include <vector>

#include "runtime/flat/description.hpp"

namespace takt::flat {

/// A x = b over the rows and unknowns of the blocks; entries of A in other columns are not looked at. Rows are scaled
/// by their largest entry, then partial pivoting. Cost: the cubes of the blocks' sizes. Phases: construct (allocates),
/// factorise(), solve as often as wanted.
class BlockSolver {
 public:
  BlockSolver(const Rows& rows, const Blocks& blocks);

  /// @param slopes  in the order of Rows::column  @return false: a block is singular, see worst()
  [[nodiscard]] bool factorise(const double* slopes) noexcept;
  /// An unknown of the singular block.
  [[nodiscard]] std::uint32_t worst() const noexcept { return worst_; }
  /// @param right  by row number  @param result  by unknown number: those of the blocks are written
  void solve(const double* right, double* result) noexcept;
  /// A^T x = b. @param right  by unknown number  @param result  by row number
  void solve_transposed(const double* right, double* result) noexcept;

 private:
  struct Entry {
    std::uint32_t slope = 0, at = 0;  ///< at: place in lu_; outside its own block: the unknown's number
  };
  [[nodiscard]] std::size_t size_of(std::size_t block) const noexcept {
    return blocks_.start[block + 1] - blocks_.start[block];
  }
  [[nodiscard]] bool factorise_block(std::size_t block) noexcept;

  const Blocks blocks_;
  std::vector<std::uint32_t> first_;  // by block: of its square in lu_
  std::vector<Entry> inner_, outer_;  // by row in the order of the blocks
  std::vector<std::uint32_t> inner_start_, outer_start_;
  std::vector<double> lu_, scale_, outer_value_, work_, left_;
  std::vector<std::uint32_t> pivot_;
  std::uint32_t worst_ = 0;
};

}  // namespace takt::flat
