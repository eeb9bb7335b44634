#pragma once
// Solution of 0 = f(x) that lies near a guess, of systems with as many equations as unknowns or
// fewer.
//   x[k+1] = x[k] + S y,  y the smallest with  (J S) y = -f,  S = diag(1 + |guess|), or more where
//   nothing is known
// Gauss-Newton of minimum norm with damping; J J' is factored by Cholesky with a small multiple of
// its diagonal added, so that equations that repeat each other (hidden constraints) do no harm.
// Limit: some thousand unknowns, dense.

#include <set>
#include <unordered_map>
#include <vector>

#include "codegen/expr/expr.hpp"

namespace takt::codegen::modelica {

class LeastChange {
 public:
  struct Solution {
    bool converged = false;
    double residual =
        0.0;  ///< the largest that is left, over the size of what its equation compares
    std::unordered_map<SymbolId, double> values;
  };

  explicit LeastChange(Graph& graph) : graph_(graph) {}
  /// @param trusted  the guess is one that somebody has given: what follows from it is computed
  /// first
  void add_unknown(SymbolId symbol, double guess, bool trusted) {
    unknowns_.emplace_back(symbol, guess);
    if (!trusted) open_.insert(symbol);
  }
  void add_equation(Expr zero) { equations_.push_back(zero); }
  [[nodiscard]] Solution solve(const std::unordered_map<SymbolId, double>& given);

 private:
  [[nodiscard]] Solution solve(const std::unordered_map<SymbolId, double>& given,
                               const std::vector<double>& scale) const;
  struct Slope {
    std::size_t column;
    Expr value;
  };
  void propagate(std::unordered_map<SymbolId, double> values);
  [[nodiscard]] std::vector<double> sizes(std::unordered_map<SymbolId, double> values) const;
  void differentiate();
  [[nodiscard]] std::vector<double> step(const std::vector<double>& residuals,
                                         const std::vector<std::vector<double>>& rows,
                                         double damping) const;

  Graph& graph_;
  std::vector<std::pair<SymbolId, double>> unknowns_;
  std::vector<Expr> equations_;
  std::set<SymbolId> open_;                 ///< whose guesses say nothing
  std::vector<std::vector<Slope>> slopes_;  ///< of each equation
};

}  // namespace takt::codegen::modelica
