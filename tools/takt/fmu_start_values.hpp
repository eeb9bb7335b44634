#pragma once

#include <string>
#include <vector>

#include "codegen/fmu/fmu_description.hpp"
#include "runtime/fmu/instance.hpp"

namespace takt::tools {

/// What --set has asked for: rows with their values, texts apart.
struct StartValues {
  struct Text {
    std::uint32_t reference = 0;
    fmu::Use use{};
    std::string value;
  };
  std::vector<fmu::Row> rows;
  std::vector<double> values;
  std::vector<std::string> names;  ///< of the rows
  std::vector<Text> texts;
};

/// "mass=2.5", "mass=2.5 kg" (converted to the variable's unit), "mode=fast" (an enumeration's item), "on=true",
/// "gains=1,2,3" (all elements of an array), "gains[2]=5" (the others keep their start values).
/// @throw UsageError  no such variable, it cannot be set, or the value does not fit, with what would do
[[nodiscard]] StartValues start_values(const codegen::FmuDescription& fmu, const std::vector<std::string>& settings);

}  // namespace takt::tools
