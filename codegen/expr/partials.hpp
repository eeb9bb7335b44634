#pragma once
// The derivative of one operation of an expression on numbers.

#include <array>

#include "codegen/expr/expr.hpp"

namespace takt::codegen {

/// By each operand, at operands a and b with the value `self`; kinks take the side
/// Graph::differentiate takes.
[[nodiscard]] std::array<double, 3> partials(const Graph& graph, const Node& node,
                                             const std::array<double, 2>& operands, double self);

}  // namespace takt::codegen
