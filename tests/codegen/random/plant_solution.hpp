#pragma once
// Whether what the reduced circuits compute solves the network's own, unreduced equations, and whether couplings answer
// each other without delay: both by numbers, from values of the reduced circuits, without asking the generator.

#include <random>
#include <string>
#include <vector>

#include "codegen/dae/circuit/ownership.hpp"
#include "codegen/plan/plan.hpp"
#include "tests/codegen/dae/interpreter.hpp"

namespace takt::codegen::testing {

/// One circuit on its own: inputs at random, states near their start.
struct CircuitPoint {
  Interpreter::Values inputs;
  std::vector<double> states;
};
[[nodiscard]] CircuitPoint random_point(const Network& network, const Surrogate& surrogate,
                                        const PlanSubsystem& planned, std::mt19937_64& random);

/// Equations that do not hold at the point: Kirchhoff's laws at every node and branch, laws, two-ports, mixing rules,
/// and rates of stored quantities, also of dependent ones, by central differences along the solution.
[[nodiscard]] std::vector<std::string> violated_equations(const Network& network, const CircuitTopology& circuit,
                                                          const Surrogate& surrogate, const CircuitPoint& point);

/// Couplings that form a cycle without delay: each changes the next at once when it is changed. Empty where there is
/// none.
[[nodiscard]] std::vector<std::string> algebraic_cycle(const Network& network, const DaeResult& dae, const Plan& plan,
                                                       const std::vector<CircuitPoint>& points);

}  // namespace takt::codegen::testing
