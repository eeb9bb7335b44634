#pragma once
// The companion network of a switched circuit solved in 113 bits, dense and with pivoting, straight from nodes,
// branches and laws: shares nothing with the generator's elimination but the laws.

#include "tests/codegen/dae/switched_circuit.hpp"

namespace takt::codegen::testing {

/// Potentials of all nodes and through variables of all branches, rounded to double.
/// @param known  what laws read beside branch variables (intermediate quantities of elements), as solved
[[nodiscard]] Interpreter::Values extended_solution(CompanionCircuit& circuit, const Interpreter::Values& known);

}  // namespace takt::codegen::testing
