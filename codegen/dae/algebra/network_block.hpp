#pragma once
// Blocks of equations that are networks of conductances: an internal form of sort_equations().

#include <functional>
#include <optional>
#include <vector>

#include "codegen/dae/algebra/equations.hpp"
#include "codegen/dae/algebra/flow_tables.hpp"

namespace takt::codegen {

/// Where the edges and ports of a system are, by the symbols they define. Refers to the system.
struct NetworkPlaces {
  explicit NetworkPlaces(const EquationSystem& system);
  const EquationSystem& system;
  std::unordered_map<SymbolId, std::size_t> edge_of;  ///< across and through variables
  std::unordered_map<SymbolId, std::size_t> port_of;  ///< potentials
  std::unordered_map<SymbolId, std::vector<std::size_t>>
      ports_with;  ///< ports by the potentials of their terms
};

/// How a network block is solved.
struct NetworkSolution {
  std::optional<FlowTables> flows;      ///< what a large one is solved over
  std::vector<Assignment> assignments;  ///< else, in order
};

/// A block made of nothing but potentials, their balances, dissipators between them and two-ports
/// is solved by sums of conductances; everything else follows from the potentials.
/// @param is_open  whether a symbol is an unknown of the circuit that nothing has solved yet
/// @return nothing where the block is something else, or no law of its kind is known
[[nodiscard]] std::optional<NetworkSolution> solve_network_block(
    Graph& graph, const NetworkPlaces& places, const EquationBlock& block,
    const std::function<bool(SymbolId)>& is_open);

}  // namespace takt::codegen
