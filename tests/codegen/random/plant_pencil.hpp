#pragma once
// Exact Kronecker index of plants of all domains, without any graph theory: the equations of a network, linearised with
// random residues for the coefficient of every variable that a law reads (generic values); ratios of two-ports and
// Kirchhoff's laws are exact.

#include <cstdint>
#include <optional>

#include "codegen/dae/circuit/ownership.hpp"
#include "tests/codegen/topology/pencil_index.hpp"

namespace takt::codegen::testing {

enum class Form {
  papers,  ///< unknowns: potentials, through variables, states, mixing temperatures; laws of storages differentiated: c
           ///< x' = f
  loops_and_cutsets  ///< also across variables and stored quantities: x = e_from - e_to, z = c x, z' = f
};

/// @param circuit  one circuit with what it receives as given, or nothing: the whole plant, undecomposed
/// @throws std::runtime_error where two draws of the coefficients differ
[[nodiscard]] PencilVerdict plant_pencil_verdict(const Network& network, const Ownership& ownership, Form form,
                                                 std::optional<std::size_t> circuit, std::uint64_t seed);

/// The reduced system as it is emitted: states, assignments, Newton blocks.
[[nodiscard]] PencilVerdict reduced_pencil_verdict(const Network& network, const Surrogate& surrogate,
                                                   std::uint64_t seed);

}  // namespace takt::codegen::testing
