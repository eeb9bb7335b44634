#pragma once
// The equations of one circuit before sorting: an internal form of derive_surrogates().

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "codegen/dae/surrogate.hpp"
#include "codegen/topology/topology.hpp"

namespace takt::codegen {

/// defines = value, or 0 = value where nothing is defined.
struct Equation {
  std::optional<SymbolId> defines;
  Expr value{};
  Location where;
  std::optional<SymbolId> balance_of;  ///< node balance of this dissipator potential: its residual is a row of a Laplacian
};

/// A dissipator between two dissipator potentials (dissipator_part.hpp); nothing where an end has a known potential.
struct ConductanceEdge {
  std::optional<SymbolId> from, to;
  SymbolId across{}, through{};
  LawForm form{};
  Expr law{};
};

struct EquationSystem {
  std::vector<SymbolId> unknowns;
  std::vector<Equation> equations;
  std::vector<SymbolId> preferred_tears;   ///< dissipator potentials; natural variables of storages in dependent groups
  std::vector<ConductanceEdge> edges;
  std::vector<SymbolId> differentiated;    ///< unknowns whose value is a time derivative: stored quantity's rate
  std::unordered_map<SymbolId, SymbolId> rate_of;  ///< differentiated unknown -> its stored quantity
  std::unordered_map<SymbolId, Expr> guesses;      ///< start guesses for Newton unknowns
  int newton_iterations = 4;
};

/// Which subsystem computes a symbol.
using Owners = std::unordered_map<SymbolId, std::size_t>;

}  // namespace takt::codegen
