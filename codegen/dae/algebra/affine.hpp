#pragma once
// Across variables of a switched circuit as affine maps of what moves (histories, source values),
// one per switch state.

#include <unordered_set>

#include "codegen/dae/algebra/equations.hpp"

namespace takt::codegen {

/// The across variables `rows` as affine maps of what is not `fixed`. Nothing where one is not
/// affine.
/// @param algebra  of the circuit, potentials eliminated
[[nodiscard]] std::optional<AffineRows> affine_rows(Graph& graph, const EquationSystem& system,
                                                    const std::unordered_set<SymbolId>& fixed,
                                                    const std::vector<SymbolId>& rows,
                                                    const std::vector<AlgebraicStep>& algebra);

}  // namespace takt::codegen
