#pragma once
// Emitted test of the linear equations that a subsystem eliminates.

#include "codegen/emit/function_body.hpp"

namespace takt::codegen {

/// Equations whose variables a function that observes knows; the others cannot be tested.
[[nodiscard]] std::vector<EquationCheck> testable(const SubsystemView& view);

/// What the test reads, so that it is computed.
[[nodiscard]] std::vector<Expr> roots_of(const std::vector<EquationCheck>& checks);

/// Counts where one does not hold. After the algebra of the body.
void emit_equation_checks(const std::vector<EquationCheck>& checks, FunctionBody& body);

}  // namespace takt::codegen
