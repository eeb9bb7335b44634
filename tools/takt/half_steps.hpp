#pragma once
// The plan of a plant with half its steps, as a parametrisation for --solve.

#include <string>

#include "codegen/pipeline.hpp"

namespace takt::tools {

/// Steps and, where asked for, synchronisation times are halved; a step that has no half in whole nanoseconds takes the
/// largest divisor of its window below. What is recorded is written out, so that both runs have the same signals.
[[nodiscard]] std::string half_steps(const codegen::Checked& checked, bool half_exchange);

}  // namespace takt::tools
