#pragma once
// What is an impulse where dependent storages share a jump: the current that moves charge in no
// time, the force that changes a momentum in no time.

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "codegen/model/network.hpp"
#include "codegen/reference/hidden_constraints.hpp"

namespace takt::codegen {

/// A variable that is an impulse where these storages jump, of the size: sum of share * jump of
/// what is stored.
struct Impulse {
  struct Share {
    SymbolId stored{};
    double share = 0.0;
  };
  SymbolId symbol{};
  std::vector<Share> shares;
  std::string reader;  ///< what reads it in an equation that has no place for impulses

  [[nodiscard]] bool takes_from(SymbolId stored) const;
  /// "electric.e.i would be an impulse, which electric.e.soc reads,"
  [[nodiscard]] std::string text(const Graph& graph) const;
};

/// The Kirchhoff equations hold for impulses; dissipators, across variables of C and A, through
/// variables of L and T have none. What else may have some is compared with what the equations of
/// elements read.
/// @param kirchhoff  balances, potential differences, two-ports
[[nodiscard]] std::vector<Impulse> impulses_read(const Network& network,
                                                 const std::vector<LinearRow>& kirchhoff);

/// What moves, and what expressions stand for.
struct Motion {
  const std::unordered_map<SymbolId, Expr>& value_of;
  const std::unordered_set<SymbolId>& moving;
};

/// Whether the value may jump while nothing that is held changes: a comparison, a sign, a remainder
/// of what moves.
[[nodiscard]] bool jumps_by_itself(const Graph& graph, Expr value, const Motion& motion);

/// Variables of constraints that have a variable in common, directly or through others: a jump
/// moves them together.
[[nodiscard]] std::vector<std::vector<SymbolId>> joined_by(
    const std::vector<PivotedRow>& constraints);

}  // namespace takt::codegen
