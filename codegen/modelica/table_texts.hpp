#pragma once
// Tables of a model as parameters of its element.

#include <string>

#include "codegen/expr/expr.hpp"

namespace takt::codegen::modelica {

/// Its line in the definition; of one argument with its points as the default.
[[nodiscard]] std::string table_parameter(const std::string& name, const Table& table);

/// ", NAME = {...}" in the element's line: a table of two arguments has no default.
[[nodiscard]] std::string table_argument(const std::string& name, const Table& table);

}  // namespace takt::codegen::modelica
