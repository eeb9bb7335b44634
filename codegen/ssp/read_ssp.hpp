#pragma once
// Reads a system structure package. Standard: System Structure and Parameterization 1.0.1
// (2022), 2.0 (2024), ssp-standard.org.

#include <optional>
#include <string_view>

#include "codegen/fmu/fmu_archive.hpp"
#include "codegen/ssp/ssp_structure.hpp"

namespace takt::codegen {

/// Y218: the file is no package, but the structure of one, or of a system of Open Simulation
/// Platform.
[[nodiscard]] bool is_bare_structure(const std::filesystem::path& file, Diagnostics& diagnostics);

/// SystemStructure.ssd of the archive, with the files of parameters that it names.
/// @return nothing where an error was found (Y010 to Y019, Y200 to Y212)
std::optional<SspStructure> read_ssp(const FmuArchive& archive, const std::filesystem::path& file,
                                     Diagnostics& diagnostics);

/// The same of the text of an .ssd alone.  @param archive  where files are looked for; null: there
/// are none
std::optional<SspStructure> read_ssd(std::string_view text, FileName file,
                                     const FmuArchive* archive, Diagnostics& diagnostics);

}  // namespace takt::codegen
