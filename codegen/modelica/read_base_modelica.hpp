#pragma once
// The flat model of a Base Modelica text (MCP-0031), as OpenModelica writes it (--baseModelica).

#include <optional>
#include <string_view>

#include "codegen/modelica/flat_model.hpp"

namespace takt::codegen::modelica {

/// @return nothing where an error was found (D001, D002), each with line and column
[[nodiscard]] std::optional<FlatModel> read_base_modelica(std::string_view text, FileName file,
                                                          Diagnostics& diagnostics);

}  // namespace takt::codegen::modelica
