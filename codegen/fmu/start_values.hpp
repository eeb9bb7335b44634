#pragma once
// Start values: read in the type of their variable, brought to the number of its elements.

#include <pugixml.hpp>

#include "codegen/fmu/fmu_description.hpp"

namespace takt::codegen {

/// @return attribute `start` or elements <Start> (strings and binaries of FMI 3); monostate where there is none
[[nodiscard]] FmuStart read_start(pugi::xml_node node, FmuType type);

[[nodiscard]] bool has_start(const FmuVariable& variable);
[[nodiscard]] std::size_t start_count(const FmuStart& start);

/// Repeats a single value. @return false where the number is another one
bool fit_start(FmuStart& start, std::size_t size);

}  // namespace takt::codegen
