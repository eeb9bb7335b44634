#pragma once
// Start values: read in the type of their variable, brought to the number of its elements.

#include <pugixml.hpp>

#include "codegen/fmu/fmu_description.hpp"

namespace takt::codegen {

/// @return attribute `start` or elements <Start> (strings and binaries of FMI 3); monostate where
/// there is none
[[nodiscard]] FmuStart read_start(pugi::xml_node node, FmuType type);

/// Where the file says nothing. FMI 2.0.4, 2.2.7 and FMI 3.0.2, 2.4.7.5: of causality and
/// variability.
[[nodiscard]] FmuInitial default_initial(FmuCausality causality, FmuVariability variability);

[[nodiscard]] bool has_start(const FmuVariable& variable);
[[nodiscard]] std::size_t start_count(const FmuStart& start);

/// Repeats a single value. @return false where the number is another one
bool fit_start(FmuStart& start, std::size_t size);

}  // namespace takt::codegen
