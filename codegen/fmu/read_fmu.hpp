#pragma once
// Reads an FMU (FMI 2.0.x and 3.0.x) without loading anything of it, and unpacks what a run needs.
// Standards: FMI 2.0.4 (2022), FMI 3.0.2 (2024), fmi-standard.org.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "codegen/fmu/fmu_description.hpp"
#include "codegen/text/diagnostics.hpp"

namespace takt::codegen {

/// @return nothing where an error was found. Warnings tell what breaks a rule of the standard and
/// can be lived with. Places are FILE.fmu/modelDescription.xml with line and column.
std::optional<FmuDescription> read_fmu(const std::filesystem::path& file, Diagnostics& diagnostics);

/// The same of the bytes of an archive; `file` is what messages and FmuDescription::file name.
std::optional<FmuDescription> read_fmu_bytes(std::string_view bytes,
                                             const std::filesystem::path& file,
                                             Diagnostics& diagnostics);

/// The same of the text of a modelDescription.xml alone: nothing about binaries, sources and
/// terminals.
std::optional<FmuDescription> read_model_description(std::string_view xml, FileName file,
                                                     Diagnostics& diagnostics);

/// Unpacks binaries of this machine's platform (sources where there is none), resources,
/// modelDescription.xml and terminalsAndIcons into `folder`, which must not be there or be empty.
/// Nothing half-written is left: files go to a folder beside it first, which is renamed.
/// @return false with an error (Y070, Y071, or what the archive has against it)
bool unpack_fmu(const FmuDescription& fmu, const std::filesystem::path& folder,
                Diagnostics& diagnostics);

/// Folders below binaries/ that this machine can load from, best first: linux64 of FMI 2,
/// x86_64-linux or aarch64-linux of FMI 3.
[[nodiscard]] std::vector<std::string> host_platforms(FmiVersion version);

/// @return the first of them that FmuDescription::platforms has
[[nodiscard]] std::optional<std::string> host_platform(const FmuDescription& fmu);

/// Of an unpacked FMU: binaries/PLATFORM/IDENTIFIER.so of this machine, if the FMU has it, or if it
/// has been compiled there from sources.
[[nodiscard]] std::optional<std::filesystem::path> fmu_library(const FmuDescription& fmu,
                                                               const FmuInterface& interface,
                                                               const std::filesystem::path& folder);

}  // namespace takt::codegen
