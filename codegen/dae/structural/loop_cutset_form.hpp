#pragma once
// The equations of one circuit as a differential-algebraic system, unreduced: fundamental loops and
// cutsets, laws of branches, states and free equations of elements. Unlike the papers' node form,
// its structural index is that of the circuit.

#include <unordered_map>
#include <vector>

#include "codegen/dae/circuit/circuit_equations.hpp"
#include "codegen/dae/structural/pantelides.hpp"

namespace takt::codegen {

struct LoopCutsetForm {
  std::vector<SymbolId>
      unknowns;  ///< across, through and stored variables, states, element variables, potentials
  std::unordered_map<SymbolId, SymbolId> rates;  ///< state -> symbol of its time derivative
  std::vector<Equation> equations;               ///< over unknowns and rates
};

[[nodiscard]] LoopCutsetForm loop_cutset_form(const CircuitScope& scope);

/// Incidence of the form: variables are the unknowns in their order, then the rates.
struct FormStructure {
  StructuralSystem system;
  std::vector<SymbolId> symbols;  ///< per variable
};
[[nodiscard]] FormStructure structure_of(const Graph& graph, const LoopCutsetForm& form);

}  // namespace takt::codegen
