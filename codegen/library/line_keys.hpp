#pragma once
// What may stand in the line of an element in a plant file: for its reader, and for the schema of
// plant files.

#include <string>
#include <vector>

#include "codegen/library/library.hpp"

namespace takt::codegen {

[[nodiscard]] std::vector<std::string> line_keys(const ElementDefinition& definition);

}  // namespace takt::codegen
