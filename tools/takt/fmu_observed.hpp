#pragma once

#include <string>
#include <vector>

#include "codegen/fmu/calls/call_table.hpp"
#include "tools/fmu_host/trial_plan.hpp"

namespace takt::tools {

using fmu_host::Observed;

/// @param patterns  names, * for any characters; none: all outputs
/// @throw UsageError  where one matches nothing, or names what is no number
[[nodiscard]] Observed observed_variables(const codegen::FmuDescription& fmu, const std::vector<std::string>& patterns);

/// What is declared for each of their columns; infinite where nothing is.
[[nodiscard]] std::vector<codegen::DeclaredRange> observed_ranges(const codegen::FmuDescription& fmu,
                                                                  const std::vector<std::string>& patterns);

}  // namespace takt::tools
