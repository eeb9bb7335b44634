#pragma once

#include <string>
#include <vector>

#include "codegen/fmu/fmu_description.hpp"
#include "runtime/fmu/row_set.hpp"

namespace takt::tools {

/// Variables that are recorded: a column per element.
struct Observed {
  std::vector<fmu::Row> rows;
  std::vector<std::string> names, units;  ///< of the columns; a unit is empty where there is none
};

/// @param patterns  names, * for any characters; none: all outputs
/// @throw UsageError  where one matches nothing, or names what is no number
[[nodiscard]] Observed observed_variables(const codegen::FmuDescription& fmu, const std::vector<std::string>& patterns);

}  // namespace takt::tools
