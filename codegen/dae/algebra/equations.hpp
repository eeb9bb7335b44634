#pragma once
// The equations of one circuit before sorting: an internal form of derive_surrogates().

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "codegen/dae/algebra/pivot_points.hpp"
#include "codegen/dae/algebra/surrogate.hpp"
#include "codegen/expr/symbol_map.hpp"
#include "codegen/topology/topology.hpp"

namespace takt::codegen {

/// defines = value, or 0 = value where nothing is defined.
struct Equation {
  std::optional<SymbolId> defines;
  Expr value{};
  Location where;
  std::optional<SymbolId> balance_of;  ///< node balance of this dissipator potential: its residual
                                       ///< is a row of a Laplacian
  std::optional<SymbolId> only_for{};  ///< solved for another unknown it would cancel: what flows
                                       ///< against the stream has coefficients near zero
};

/// A dissipator between two dissipator potentials (dissipator_part.hpp); nothing where an end has a
/// known potential.
struct ConductanceEdge {
  std::optional<SymbolId> from, to;
  SymbolId across{}, through{};
  LawForm form{};
  Expr law{};
};

/// potential = sum of coefficient*potential + ground*(a known one, 0): what an ideal two-port ties,
/// between dissipator potentials.
struct PortConstraint {
  SymbolId potential{};
  std::vector<std::pair<SymbolId, double>> terms;
  double ground = 0.0;
};

/// Marks balances of enthalpy and what streams carry: the one is solved for the enthalpy of its own
/// node, the other is a definition.
void keep_direction(const Network& network, const Graph& graph,
                    const std::vector<std::uint32_t>& balances, std::vector<Equation>& equations);

struct EquationSystem {
  std::vector<SymbolId> unknowns;
  std::vector<Equation> equations;
  std::vector<SymbolId> preferred_tears;  ///< dissipator potentials; natural variables of storages
                                          ///< in dependent groups
  std::vector<ConductanceEdge> edges;
  std::vector<PortConstraint> ports;
  std::unordered_map<SymbolId, Expr>
      own_balances;  ///< where there are ports: balances without port currents, per potential
  std::vector<SymbolId>
      differentiated;  ///< unknowns whose value is a time derivative: stored quantity's rate
  std::unordered_map<SymbolId, SymbolId>
      rate_of;                                 ///< differentiated unknown -> its stored quantity
  std::unordered_map<SymbolId, Expr> guesses;  ///< start guesses for Newton unknowns
  /// Where set, nothing is divided by but what hangs on these (parameters), and by determinants:
  /// coefficients may pass through zero.
  const SymbolMap<double>* divisors = nullptr;
  KnownAtPivots known;          ///< by which pivots are judged
  bool may_use_tables = false;  ///< for large linear blocks
  int newton_iterations = 4;
};

/// Which subsystem computes a symbol.
using Owners = SymbolMap<std::size_t>;

/// Equations that are solved together, and for what.
struct EquationBlock {
  const std::vector<Equation>& equations;
  const std::vector<SymbolId>& unknowns;
};

}  // namespace takt::codegen
