#pragma once
// The equations of a flat plant at one point: consistent values of what is not integrated, at the start and later, and
// their derivatives.

#include <stdexcept>
#include <vector>

#include "runtime/flat/block_solver.hpp"

namespace takt::flat {

/// The equations have no solution here that Newton's method finds.
struct Unsolved : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Works on a point that the caller owns. Newton's method with the natural monotonicity test (P. Deuflhard, Newton
/// Methods for Nonlinear Problems, 2004, section 3.3); a factorisation is kept as long as every correction is a tenth
/// of the one before.
class Algebra {
 public:
  Algebra(const Description& plant, std::vector<double>& point);

  /// Unknowns at the start, from what the point holds.  @throw Unsolved
  void solve_start();
  /// What is not integrated.  @throw Unsolved
  void solve();
  /// Named quantities and rates. @pre solve()
  void observe() noexcept;
  /// The next solve() depends on the point alone.
  void forget() noexcept { factorised_ = false; }

  /// By place of a state or input -> by place of what is not integrated, of variables and rates: how they move.
  /// @param moves  [points]; the rest is filled in  @throw Unsolved  the equations are singular here
  void differentiate(std::vector<double>& moves);
  /// The transpose of it. @param weights  [points], of all places -> of states and inputs the sums of weights times
  /// derivatives
  void differentiate_transposed(std::vector<double>& weights);

 private:
  struct Problem {
    const Rows& rows;
    const Blocks& blocks;
    BlockSolver& solver;
    bool at_start;
  };
  [[nodiscard]] Problem algebra() { return {plant_.rows, plant_.algebra, solver_, false}; }
  void newton(const Problem& problem);
  [[nodiscard]] bool follow(const Problem& problem);
  [[nodiscard]] bool factorise(const Problem& problem);
  void correction(const Problem& problem, std::vector<double>& step);
  void find_sizes(bool at_start);
  [[nodiscard]] double largest_part(const Problem& problem, const std::vector<double>& step);
  [[noreturn]] void fail(const std::string& what) const;

  const Description& plant_;
  std::vector<double>& point_;
  BlockSolver solver_, start_solver_;
  bool factorised_ = false;
  std::uint32_t worst_ = 0;
  std::vector<double> values_, slopes_, step_, trial_, sizes_, origin_, by_unit_, row_weights_;
};

}  // namespace takt::flat
