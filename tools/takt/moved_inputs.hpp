#pragma once
// Plant inputs that are moved about their start values, for trials of plans: what lies still shows nothing.

#include <string>
#include <vector>

#include "codegen/pipeline.hpp"

namespace takt::tools {

/// Options of the executable (--input). Inputs go one after the other, in the order of the plant file, from their start
/// values to moved ones and back, then to moved and to safe ones, in spans that double: whatever part of the duration
/// trials cover has some of it. Moved is: a tenth more; 1 in the input's SI unit where the start is 0; 0 for a flag
/// that starts at 1. A plant without inputs: empty.
[[nodiscard]] std::vector<std::string> moved_inputs(const codegen::Checked& checked, double duration_s);

}  // namespace takt::tools
