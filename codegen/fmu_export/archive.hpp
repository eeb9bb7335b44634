#pragma once
// The file of an FMU: an archive whose bytes depend on its content alone.

#include <filesystem>
#include <string>
#include <vector>

namespace takt::codegen {

struct ArchiveEntry {
  std::string name;  ///< path in the archive, with '/'
  std::string content;
};

/// Whole or not at all; compressed, every entry of the same date.
/// @throw std::runtime_error  it cannot be written: why
void write_archive(const std::filesystem::path& file, const std::vector<ArchiveEntry>& entries);

}  // namespace takt::codegen
