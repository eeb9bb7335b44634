#pragma once
// What `takt check` says of a plant: for people and, with --json, for machines.

#include <string>

#include "codegen/pipeline.hpp"
#include "codegen/text/diagnostics.hpp"

namespace takt::tools {

/// Circuits with their index verdicts, subsystems, couplings in evaluation order.
[[nodiscard]] std::string check_text(const codegen::Checked& checked);
/// @param checked  nullptr where the plant is refused: then `ok` is false and the findings say why
[[nodiscard]] std::string check_json(const codegen::Checked* checked, const codegen::Diagnostics& diagnostics);

}  // namespace takt::tools
