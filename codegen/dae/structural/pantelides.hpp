#pragma once
// Structural index: which equations of a DAE must be differentiated, and how often, before its
// highest derivatives are determined. Works on incidence alone, so it is generic: exact for
// coefficients that are independent of each other. Source: C. C. Pantelides, "The consistent
// initialization of differential-algebraic systems", SIAM J. Sci. Stat. Comput. 9 (1988).

#include <cstddef>
#include <optional>
#include <vector>

namespace takt::codegen {

/// Variables are numbered; the derivative of a variable is a variable of its own.
struct StructuralSystem {
  std::vector<std::optional<std::size_t>> derivative;  ///< per variable
  std::vector<std::vector<std::size_t>> equations;     ///< per equation the variables in it

  std::size_t add_variable() {
    derivative.emplace_back();
    return derivative.size() - 1;
  }
  /// The variable's derivative, made where there is none yet.
  std::size_t derivative_of(std::size_t variable);
};

struct StructuralResult {
  /// Equations (variables: the lowest derivative) that have no partner even when derivatives count
  /// as their variable: no number of differentiations makes the system solvable. The rest is empty
  /// then.
  std::vector<std::size_t> surplus_equations, surplus_variables;
  StructuralSystem system;  ///< with the derivatives of variables and equations that were needed
  std::vector<std::optional<std::size_t>> derived;  ///< per equation of `system`: its derivative
  int index = 0;                                    ///< structural (differentiation) index

  [[nodiscard]] bool singular() const {
    return !surplus_equations.empty() || !surplus_variables.empty();
  }
};

[[nodiscard]] StructuralResult pantelides(StructuralSystem system);

}  // namespace takt::codegen
