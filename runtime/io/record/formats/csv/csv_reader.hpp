#pragma once
// Reads recorded signals from a table: signals.csv, or what people and other programs write like it.

#include <filesystem>
#include <vector>

#include "runtime/io/record/record_sink.hpp"

namespace takt {

/// @return a group for each column, of the rows in which it has a value; columns that have none, too
/// @throw std::runtime_error  the file, the line and what is wrong
[[nodiscard]] std::vector<RecordedGroup> read_csv_signals(const std::filesystem::path& file);

}  // namespace takt
