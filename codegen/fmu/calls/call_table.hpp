#pragma once
// From what a modelDescription.xml says to what the runtime needs to call the FMU
// (runtime/fmu/table.hpp).

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "codegen/fmu/fmu_description.hpp"
#include "runtime/fmu/table.hpp"

namespace takt::codegen {

/// @return nothing for strings, binaries and clocks, which are no numbers
[[nodiscard]] std::optional<fmu::Type> call_type(FmuType type);

/// When it may be set, by causality, variability and initial (with the defaults of FMI 2.0.4, 2.2.7
/// and FMI 3.0.2, 2.4.7.4).
[[nodiscard]] fmu::Use call_use(const FmuVariable& variable);

/// @param first  index of its first element among the caller's values
[[nodiscard]] std::optional<fmu::Row> call_row(const FmuVariable& variable, std::uint32_t first);

/// @param folder  absolute, where the FMU is unpacked
/// @param library  of this machine (fmu_library())
[[nodiscard]] fmu::Table call_table(const FmuDescription& fmu, fmu::Kind kind,
                                    const std::filesystem::path& folder,
                                    const std::filesystem::path& library);

/// What a variable declares of its values (min, max), in its own unit; a little more, so that
/// rounding is no offence.
struct DeclaredRange {
  double least, most;  ///< infinite where nothing is declared
  std::string text;    ///< "at most 150 degC"
};

/// @return nothing where it declares neither, or is no number
[[nodiscard]] std::optional<DeclaredRange> declared_range(const FmuVariable& variable);

/// "u", or of an array "u[1]", "u[1,2]", row by row.
[[nodiscard]] std::vector<std::string> element_names(const FmuDescription& fmu,
                                                     const FmuVariable& variable);

}  // namespace takt::codegen
