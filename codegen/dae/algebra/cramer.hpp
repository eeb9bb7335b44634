#pragma once
// Small linear systems by determinants: nothing is divided by but the determinant, so no pivot can
// vanish on the way where the system itself is regular. For blocks whose coefficients move through
// zero, such as the levers of mechanisms.

#include <optional>

#include "codegen/dae/algebra/elimination.hpp"

namespace takt::codegen {

/// Systems beyond this size have too many products: they are eliminated.
inline constexpr std::size_t largest_cramer = 4;

/// x by Cramer's rule. @return nullopt where the determinant is zero whatever the values. @pre at
/// most largest_cramer unknowns
[[nodiscard]] std::optional<std::vector<Expr>> solve_by_determinants(Graph& graph,
                                                                     const LinearSystem& system);

}  // namespace takt::codegen
