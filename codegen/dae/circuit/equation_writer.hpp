#pragma once
// What the two forms of a circuit's equations share: on node balances (circuit_equations.cpp) and
// on loops and cutsets (structural/loop_cutset_form.cpp). Internal to codegen/dae.

#include <unordered_set>
#include <vector>

#include "codegen/dae/algebra/equations.hpp"
#include "codegen/dae/circuit/ownership.hpp"

namespace takt::codegen {

class EquationWriter {
 protected:
  EquationWriter(const CircuitScope& scope, std::vector<SymbolId>& unknowns,
                 std::vector<Equation>& equations)
      : scope_(scope),
        network_(scope.network),
        graph_(scope.network.graph()),
        circuit_(scope.circuit),
        unknowns_(unknowns),
        equations_(equations) {}

  [[nodiscard]] const Branch& branch(BranchId id) const {
    return network_.branches[static_cast<std::size_t>(id)];
  }
  Expr scaled(SymbolId symbol, double coefficient) {
    return graph_.mul(graph_.constant(coefficient), graph_.use(symbol));
  }
  Expr sum(const std::vector<LinearTerm>& terms, SymbolId Branch::*variable);
  [[nodiscard]] bool is_known(SymbolId symbol) const { return known_.contains(symbol); }
  void unknown(SymbolId symbol);
  void define(SymbolId symbol, Expr value, const Location& where);
  void require(Expr zero, const Location& where);

  /// Variables of elements, balances of enthalpy, heat that no flux brings, fluxes this circuit
  /// sends.
  void add_values();
  /// Potentials of nodes and across variables at two-ports.
  void add_potentials();
  /// Through variables at two-ports.
  void add_port_throughs();

  const CircuitScope& scope_;
  const Network& network_;
  Graph& graph_;
  const CircuitTopology& circuit_;

 private:
  Expr potential(NodeId id);
  /// Each potential from that of the node before it in the tree: sums over whole paths are as long
  /// as trees are deep.
  void add_potentials_along_tree();

  std::vector<SymbolId>& unknowns_;
  std::vector<Equation>& equations_;
  std::unordered_set<SymbolId> known_;
};

}  // namespace takt::codegen
