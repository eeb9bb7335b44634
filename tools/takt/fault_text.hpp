#pragma once
// What can be injected into a plant, as text for people.

#include <string>

#include "codegen/library/library.hpp"
#include "codegen/model/network.hpp"

namespace takt::tools {

/// `takt explain faults`: how sensors can be distorted, and all faults of the elements of a library.
[[nodiscard]] std::string all_faults_text(const codegen::Library& library);
/// "r_on = r_off, alpha = 0 1/K": what a fault changes.
[[nodiscard]] std::string changes_text(const codegen::FaultDefinition& fault);
/// `takt check --show faults`: those of a plant's elements, and those that no parameter can bring about, with the
/// reason.
[[nodiscard]] std::string plant_faults_text(const codegen::Network& network);

}  // namespace takt::tools
