#pragma once
// Many expressions as text.

#include <string>
#include <vector>

#include "codegen/expr/expr.hpp"

namespace takt::codegen {

/// Graph::text() of each; what the expressions share is printed once.
[[nodiscard]] std::vector<std::string> texts(const Graph& graph, const std::vector<Expr>& roots);

}  // namespace takt::codegen
