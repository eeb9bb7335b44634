#pragma once
// Reads the signals of the files that MdfFile writes. No others: MDF is wide, and what is read here is what Takt needs
// of it.

#include <filesystem>
#include <vector>

#include "runtime/io/record/record_sink.hpp"

namespace takt {

/// Whether it begins like an MDF file, of whatever version.
[[nodiscard]] bool is_mdf(const std::filesystem::path& file);

/// Also of a file that is being written: what has been flushed.
/// @return a group for each period
/// @throw std::runtime_error  the file, the place in it and what is wrong: cannot be opened, of another program,
/// damaged
[[nodiscard]] std::vector<RecordedGroup> read_mdf(const std::filesystem::path& file);

}  // namespace takt
