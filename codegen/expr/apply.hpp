#pragma once
// One operation of an expression on numbers.

#include <array>

#include "codegen/expr/expr.hpp"

namespace takt::codegen {

/// The same functions and order of operations as the emitted code, so that folding never changes a
/// bit.
[[nodiscard]] double apply_node(const Graph& graph, const Node& node,
                                const std::array<double, 3>& operands);

}  // namespace takt::codegen
