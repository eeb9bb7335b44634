#pragma once
// Which equation gives which truth value or whole number.

#include <functional>

#include "codegen/modelica/scalar_model.hpp"

namespace takt::codegen::modelica {

/// symbol = value: truth values and whole numbers are no unknowns of a solver, each is what its
/// equation says.
struct DiscreteDefinition {
  SymbolId symbol{};
  Expr value{};
  std::size_t equation = 0;  ///< index in the model's
};

/// In an equation of two of them, a = b, that one is given which no other equation gives.
[[nodiscard]] std::vector<DiscreteDefinition> discrete_definitions(const ScalarModel& model);
/// The same of those variables for which `wanted` holds.
[[nodiscard]] std::vector<DiscreteDefinition> definitions_of(
    const ScalarModel& model, const std::function<bool(const ScalarVariable&)>& wanted);

}  // namespace takt::codegen::modelica
