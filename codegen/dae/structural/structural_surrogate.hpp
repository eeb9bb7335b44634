#pragma once
// The structural path: circuits whose elements have free equations. Loop and cutset equations,
// Pantelides, symbolic differentiation, dummy derivatives; what is left is an algebraic system of
// index 1, sorted into blocks and torn like any other.

#include <optional>

#include "codegen/dae/circuit/ownership.hpp"

namespace takt::codegen {

/// Whether an element of the circuit has free equations.
[[nodiscard]] bool has_free_equations(const Network& network, const CircuitTopology& circuit);

/// Free unknowns of the circuit: as many free equations stand in no branch's place.
[[nodiscard]] std::size_t count_free_unknowns(const Network& network,
                                              const CircuitTopology& circuit);

/// Puts the structural index of circuits with free equations in the place of the tree's, which
/// knows nothing of them.
void note_structural_index(const Network& network, const std::vector<Surrogate>& subsystems,
                           TopologyResult& topology);

/// Place of its first free equation. @pre has_free_equations
[[nodiscard]] Location first_free_equation(const Network& network, const CircuitTopology& circuit);

/// T020 where the equations do not determine the unknowns, T021 where a value that is known only as
/// it is received must be differentiated, T022 where no choice of states is possible at the start
/// values.
[[nodiscard]] std::optional<Surrogate> structural_surrogate(const CircuitScope& scope,
                                                            Diagnostics& diagnostics);

}  // namespace takt::codegen
