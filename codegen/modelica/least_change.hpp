#pragma once
// Solution of 0 = f(x) that lies near a guess, of systems with as many equations as unknowns or
// fewer.
//   x[k+1] = x[k] + S y,  y the smallest with  (J S) y = -f,  S = diag(1 + |guess|), or more where
//   nothing is known
// Gauss-Newton of minimum norm with damping, by an orthogonal decomposition that tells the rank, so
// that equations that repeat each other (hidden constraints) do no harm.
// Limit: most_unknowns, dense.

#include <set>
#include <unordered_map>
#include <vector>

#include "codegen/expr/expr.hpp"
#include "codegen/modelica/point_values.hpp"

namespace takt::codegen::modelica {

class LeastChange {
 public:
  struct Solution {
    bool converged = false;
    double residual =
        0.0;  ///< the largest that is left, over the size of what its equation compares
    std::size_t worst = 0;  ///< the equation that it is left in, in the order they were added
    std::unordered_map<SymbolId, double> values;
  };

  static constexpr std::size_t most_unknowns = 3000;

  explicit LeastChange(Graph& graph) : graph_(graph) {}
  /// @param trusted  the guess is one that somebody has given: what follows from it is computed
  /// first
  void add_unknown(SymbolId symbol, double guess, bool trusted) {
    unknowns_.emplace_back(symbol, guess);
    if (!trusted) open_.insert(symbol);
  }
  void add_equation(Expr zero) { equations_.push_back(zero); }
  [[nodiscard]] std::size_t unknowns() const { return unknowns_.size(); }
  [[nodiscard]] Solution solve(const std::unordered_map<SymbolId, double>& given);
  /// Those of some unknowns that the equations leave open: others near this solution do as well.
  [[nodiscard]] std::set<SymbolId> open_at(const Solution& solution,
                                           const std::set<SymbolId>& asked) const;

 private:
  [[nodiscard]] Solution solve(const std::unordered_map<SymbolId, double>& given,
                               const std::vector<double>& scale) const;
  class Search;
  struct Slope {
    std::size_t column;
    Expr value;
  };
  void propagate(std::unordered_map<SymbolId, double> values);
  [[nodiscard]] std::vector<double> sizes(std::unordered_map<SymbolId, double> values) const;
  void differentiate();
  [[nodiscard]] PointValues point_values() const;

  Graph& graph_;
  std::vector<std::pair<SymbolId, double>> unknowns_;
  std::vector<Expr> equations_;
  std::set<SymbolId> open_;                 ///< whose guesses say nothing
  std::vector<SymbolId> wished_;            ///< open, but one after the other as guessed
  std::vector<std::vector<Slope>> slopes_;  ///< of each equation
};

}  // namespace takt::codegen::modelica
