#pragma once
// Equations, states and start values of one circuit from its normal tree: internal to
// derive_surrogates().

#include "codegen/dae/algebra/equations.hpp"
#include "codegen/dae/circuit/ownership.hpp"

namespace takt::codegen {

struct CircuitEquations {
  EquationSystem system;
  std::vector<SurrogateState>
      states;  ///< start values over parameters, inputs, time and unknowns of start laws
  std::vector<StartLaw> start_laws;
};

/// Of the fluxes, those that this circuit produces are defined, those that it consumes are inputs
/// without a law.
[[nodiscard]] CircuitEquations assemble_circuit(const CircuitScope& scope,
                                                Diagnostics& diagnostics);

}  // namespace takt::codegen
