#pragma once
// Random expressions for property tests; fixed seeds, the same on every machine.

#include <cstdint>
#include <random>
#include <vector>

#include "codegen/expr/expr.hpp"

namespace takt::codegen::testing {

/// A graph with symbols s0..s3, tables "curve" and "map" and a source of random expressions over them.
class RandomExpressions {
 public:
  explicit RandomExpressions(std::uint32_t seed);
  /// Smooth: without steps (floor, mod, sign, comparisons); differentiable wherever it is finite and no kink is met.
  Expr make(int depth, bool smooth);
  [[nodiscard]] double uniform(double low, double high);

  Graph graph;
  std::vector<SymbolId> symbols;
  TableId curve{}, map{};

 private:
  Expr leaf();
  Expr smooth_unary(Expr x);
  Expr condition(int depth, bool smooth);
  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(random_() % count); }
  std::mt19937 random_;
};

}  // namespace takt::codegen::testing
