#pragma once
// Derivatives of a subsystem's rates by its states, symbolic, through its algebra: what linearly
// implicit methods factorise.

#include <cstddef>
#include <vector>

#include "codegen/dae/algebra/surrogate.hpp"

namespace takt::codegen {

/// Entries that are not zero, row by row; over states, algebra, inputs, parameters, time.
struct Jacobian {
  struct Entry {
    std::size_t row = 0, column = 0;
    Expr value{};
  };
  std::vector<Entry> states;       ///< d(rate of state `row`)/d(state `column`)
  std::vector<Entry> quadratures;  ///< d(quadrature `row`)/d(state `column`)
};

/// Unknowns of Newton blocks follow by the theorem of implicit functions.
[[nodiscard]] Jacobian derive_jacobian(Graph& graph, const Surrogate& surrogate,
                                       const std::vector<Expr>& quadratures);

}  // namespace takt::codegen
