#pragma once
// What the entries of an FMU's archive may be called, and what not.

#include <span>
#include <string>
#include <string_view>

#include "codegen/fmu/fmu_archive.hpp"

namespace takt::codegen {

/// The name without its parts "./", which say nothing: some tools pack them, and the top folder
/// "./" itself, for which it is empty. What is left may still be wrong.
[[nodiscard]] std::string without_dots(std::string_view name);

/// @return why an entry of this name could leave the folder that it is unpacked to, or is none that
/// FMI allows; empty where it is right
[[nodiscard]] std::string wrong_entry_name(std::string_view name);

/// Y004: names that occur twice, or as a file and as a folder; a warning where they differ in case
/// only.
void check_duplicates(std::span<const FmuEntry> sorted, const Location& where,
                      Diagnostics& diagnostics);

/// Y006: more or larger than FmuLimits allows.
bool check_limits(std::span<const FmuEntry> entries, const Location& where,
                  Diagnostics& diagnostics);

/// For messages: control characters and bytes that are no UTF-8 as \xNN, long texts shortened.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace takt::codegen
