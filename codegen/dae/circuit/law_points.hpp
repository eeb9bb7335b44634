#pragma once
// Storages of a switched circuit with laws v = f(q) or i = f(lambda) that are not linear. About a point p near the end
// of a segment such a storage is a conductance as any other; p is sought at which the network gives p itself: Newton's
// method on the whole network.

#include <optional>
#include <unordered_map>
#include <vector>

#include "codegen/dae/algebra/surrogate.hpp"

namespace takt::codegen {

struct LawPoint {
  SymbolId point{}, stored{};
  Expr end{};  ///< the stored quantity at the end of a segment
};

/// f(p) + df/dp*(end - p), in as many stored quantities as the law reads.
/// @param ends      stored quantities of the circuit at the end of a segment; a point is made for each that the law is
/// not linear in
/// @param flattest  slopes below it count as it: the points found are the same
[[nodiscard]] Expr law_at_end(Graph& graph, Expr law, const std::unordered_map<SymbolId, Expr>& ends, Expr flattest,
                              std::vector<LawPoint>& points);

/// The algebra of the linearised network with a block before what hangs on the points, which finds them.
/// @param guesses  parallel to points
/// @return nothing where another block hangs on the points: their equations cannot be told apart
[[nodiscard]] std::optional<std::vector<AlgebraicStep>> with_points(Graph& graph,
                                                                    const std::vector<AlgebraicStep>& algebra,
                                                                    const std::vector<LawPoint>& points,
                                                                    std::vector<Expr> guesses, int iterations);

}  // namespace takt::codegen
