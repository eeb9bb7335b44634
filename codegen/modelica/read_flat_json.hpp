#pragma once
// Reads the flat model that the front end rumoca writes as JSON.

#include <optional>
#include <string_view>

#include "codegen/modelica/flat_model.hpp"

namespace takt::codegen::modelica {

/// @return nothing where an error was found (D001, D002)
[[nodiscard]] std::optional<FlatModel> read_flat_json(std::string_view text, FileName file,
                                                      Diagnostics& diagnostics);

}  // namespace takt::codegen::modelica
