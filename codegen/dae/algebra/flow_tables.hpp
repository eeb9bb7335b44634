#pragma once
// Networks of conductances, and of edges with other laws, with the tables over which
// runtime/solver/flow_network.hpp solves them. Laws of one form share their code: what they read
// beside their own variable are coefficients.

#include <optional>
#include <vector>

#include "codegen/dae/algebra/laplacian.hpp"
#include "codegen/dae/algebra/network_order.hpp"

namespace takt::codegen {

/// The law of many edges: across = value(through) or through = value(across).
struct FlowLaw {
  SymbolId argument{};
  std::vector<SymbolId> coefficients;
  Expr value{}, slope{};       ///< over argument and coefficients
  std::vector<Expr> partials;  ///< of the value, by each coefficient
};

struct FlowEdge {
  Laplacian::Ends ends;  ///< places of potentials
  SymbolId across{}, through{};
  bool by_flow = false;  ///< the law gives the across over the through variable
  Expr offset{};         ///< of the across variable, where all potentials are zero
  std::size_t law = 0;
  /// What the law reads, free of the network's unknowns; of a conductance: g and i of  through =
  /// g*across + i.
  std::vector<Expr> coefficients;
};

struct FlowTables {
  bool linear = false;  ///< conductances: not iterated, without laws
  std::vector<SymbolId> potentials;
  NetworkTables network;
  std::vector<FlowLaw> laws;
  std::vector<FlowEdge> edges;  ///< by their laws
  std::vector<Expr> injected;   ///< [potentials] known flows into nodes
  std::vector<Expr> guesses;    ///< [potentials] where the first search begins
};

/// Laws with what they read replaced by coefficients; those of one form are one.
class FlowLaws {
 public:
  explicit FlowLaws(Graph& graph) : graph_(graph) {}
  /// @return number of the law
  std::size_t add(Expr law, SymbolId argument, std::vector<Expr>& coefficients);
  [[nodiscard]] const std::vector<FlowLaw>& laws() const { return laws_; }

 private:
  Graph& graph_;
  std::vector<FlowLaw> laws_;
};

/// takt::FlowPattern's tables: nodes by their elimination.
struct FlowPlaces {
  std::vector<std::uint32_t> from, to, link;
  std::vector<std::uint8_t> by_flow;
};
[[nodiscard]] FlowPlaces places_of(const FlowTables& tables);

/// Zero where the network is solved: balances, differences and, of conductances, laws.
[[nodiscard]] std::vector<Expr> residuals_of(Graph& graph, const FlowTables& tables);

/// Orders edges by their laws, and nodes for their elimination.
void finish(const Graph& graph, FlowTables& tables);

}  // namespace takt::codegen
