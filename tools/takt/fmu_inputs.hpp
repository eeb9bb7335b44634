#pragma once
// Inputs of an FMU over time, from a table: the first column "time [s]", the others named as inputs or their elements
// ("u", "u[2]").

#include <filesystem>
#include <string>
#include <vector>

#include "codegen/fmu/fmu_description.hpp"
#include "tools/fmu_host/trial_plan.hpp"

namespace takt::tools {

struct GivenInputs {
  fmu_host::InputTable table;
  std::vector<std::string> missing;  ///< inputs that the table does not have: they keep their start values
};

/// @param slopes  also hand over derivatives of continuous inputs (FMI 2, canInterpolateInputs)
/// @throw std::runtime_error  file, line, what is wrong
[[nodiscard]] GivenInputs given_inputs(const codegen::FmuDescription& fmu, const std::filesystem::path& file,
                                       bool slopes);

/// All inputs of floating-point numbers, to be held at one value: whole numbers cannot be NaN, and beyond their range
/// they are refused.
[[nodiscard]] fmu_host::HeldInputs held_inputs(const codegen::FmuDescription& fmu);

}  // namespace takt::tools
