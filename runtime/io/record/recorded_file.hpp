#pragma once
// The recorded signals of a run, in whatever format it has left them.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "runtime/io/record/record_sink.hpp"

namespace takt {

/// @param path  a run directory, or a file of recorded signals
/// @return of a directory the file of the first format that is there, else where signals.csv should be; a file as it is
[[nodiscard]] std::filesystem::path recorded_file(const std::filesystem::path& path);

/// Also of a file that is being written: what has been flushed. What begins like no other format is read as CSV.
/// @throw std::runtime_error  the file, the line or byte, and what is wrong
[[nodiscard]] std::vector<RecordedGroup> read_recorded(const std::filesystem::path& file);

/// What signals.csv would hold. Nothing: the file begins like no other format, so it is a table already.
/// @throw std::runtime_error  see read_recorded()
[[nodiscard]] std::optional<std::string> recorded_as_csv(const std::filesystem::path& file);

/// The same of what has been read.
[[nodiscard]] std::string csv_text(const std::vector<RecordedGroup>& groups);

}  // namespace takt
