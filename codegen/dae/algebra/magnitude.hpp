#pragma once
// What a residual is measured by.

#include <string>
#include <unordered_map>

#include "codegen/expr/expr.hpp"

namespace takt::codegen {

/// Sum of |terms| of a sum: the residual of an equation divided by it says how well the equation
/// holds, whatever its unit. A factor common to all terms is taken apart: |f|*(|a| + |b|) for f*(a
/// - b).
[[nodiscard]] Expr magnitude(Graph& graph, Expr e);

/// The same for many equations that share sums: each sum is measured once.
class Magnitudes {
 public:
  explicit Magnitudes(Graph& graph) : graph_(graph) {}
  [[nodiscard]] Expr of(Expr e);

 private:
  Expr of_term(Expr term);

  Graph& graph_;
  std::unordered_map<Expr, Expr> known_;
};

/// Unit of a sum: that of its first term that is a symbol, alone or times a constant; empty where
/// there is none.
[[nodiscard]] std::string unit_of_sum(const Graph& graph, Expr e);

}  // namespace takt::codegen
