#pragma once
// Storages of a switched circuit with laws v = f(q) or i = f(lambda) that are not linear. About a
// point p near the end of a segment such a storage is a conductance as any other; p is sought at
// which the network gives p itself: Newton's method on the whole network.

#include <optional>
#include <unordered_map>
#include <vector>

#include "codegen/dae/algebra/surrogate.hpp"

namespace takt::codegen {

struct LawPoint {
  SymbolId point{}, stored{};
  Expr end{};  ///< the stored quantity at the end of a segment
};

/// Laws of the storages of one circuit at the end of a segment.
class LawsAtEnd {
 public:
  /// @param ends  stored quantities at the end of a segment
  LawsAtEnd(Graph& graph, std::unordered_map<SymbolId, Expr> ends)
      : graph_(graph), ends_(std::move(ends)) {}

  /// f(p) + df/dp*(end - p), in as many stored quantities as the law reads; a point is made for
  /// each that the law is not linear in.
  /// @param flattest  slopes below it count as it: the points found are the same
  [[nodiscard]] Expr about_points(Expr law, Expr flattest);
  /// The law as it stands.
  [[nodiscard]] Expr exact(Expr law) { return graph_.substitute(law, ends_); }

  [[nodiscard]] const std::vector<LawPoint>& points() const { return points_; }

 private:
  SymbolId point_of(SymbolId stored);

  Graph& graph_;
  std::unordered_map<SymbolId, Expr> ends_;
  std::vector<LawPoint> points_;
};

/// The algebra of the linearised network with a block before what hangs on the points, which finds
/// them.
/// @param search  with its guesses, parallel to points, and its number of iterations
/// @return nothing where another block hangs on the points: their equations cannot be told apart
[[nodiscard]] std::optional<std::vector<AlgebraicStep>> with_points(
    Graph& graph, const std::vector<AlgebraicStep>& algebra, const std::vector<LawPoint>& points,
    NewtonBlock search);

}  // namespace takt::codegen
