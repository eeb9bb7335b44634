#pragma once
// Entries of the element library and of the diagnostic table as text for people.

#include <string>
#include <string_view>

#include "codegen/library/library.hpp"
#include "codegen/text/codes.hpp"

namespace takt::tools {

/// Documentation, terminals, parameters with units and defaults, laws, and a line to copy into a plant.
[[nodiscard]] std::string element_text(const codegen::ElementDefinition& element);
/// Documentation and properties of a medium, and a line to copy into a plant.
[[nodiscard]] std::string medium_text(const codegen::MediumDefinition& medium);
[[nodiscard]] std::string code_text(const codegen::CodeEntry& entry);
/// Breaks text at blanks so that no line is longer than `width`.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t indent, std::size_t width = 100);

}  // namespace takt::tools
