#pragma once
// What values of some variables say of others, by equations that give one of them each.

#include <deque>
#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "codegen/expr/expr.hpp"

namespace takt::codegen {

struct ValueQuestion {
  std::vector<Expr> residuals;             ///< zero where the equations hold
  std::unordered_set<SymbolId> variables;  ///< of the equations; all else is known
  std::function<double(Expr)> number;      ///< of a slope: where it is zero, it tells nothing
};

/// Each equation that is linear in the only variable whose value is not known gives it, one after
/// the other.
class FollowedValues {
 public:
  FollowedValues(Graph& graph, ValueQuestion question);

  /// A value, and all that follows. What is known stays, also where it contradicts an equation.
  void add(SymbolId symbol, Expr value);

  [[nodiscard]] const std::unordered_map<SymbolId, Expr>& known() const { return known_; }

 private:
  [[nodiscard]] bool is_open(SymbolId symbol) const;
  void follow();
  void solve(Expr residual);
  void now_known(SymbolId symbol);

  Graph& graph_;
  ValueQuestion question_;
  std::unordered_map<SymbolId, Expr> known_;
  std::vector<std::size_t> open_;  ///< by equation: variables that are not known
  std::unordered_map<SymbolId, std::vector<std::size_t>> users_;
  std::deque<std::size_t> next_;
};

}  // namespace takt::codegen
