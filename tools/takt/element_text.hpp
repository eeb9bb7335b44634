#pragma once
// Entries of the element library and of the diagnostic table as text for people.

#include <string>
#include <string_view>

#include "codegen/library/library.hpp"
#include "codegen/text/codes.hpp"
#include "runtime/command_line/wrapped.hpp"

namespace takt::tools {

/// Documentation, terminals, parameters with units and defaults, laws, and a line to copy into a plant.
[[nodiscard]] std::string element_text(const codegen::ElementDefinition& element);
/// Documentation and properties of a medium, and a line to copy into a plant.
[[nodiscard]] std::string medium_text(const codegen::MediumDefinition& medium);
[[nodiscard]] std::string code_text(const codegen::CodeEntry& entry);
using command_line::wrapped;

}  // namespace takt::tools
