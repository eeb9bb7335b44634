#pragma once
// Reads the signals of the files that JsonlSink writes.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/io/record/record_sink.hpp"

namespace takt {

/// What a signal is called in a row: "path [unit]"; without a unit the unit is 1, as in a table.
[[nodiscard]] std::string jsonl_key(std::string_view path, std::string_view unit);

/// Whether it begins as JsonlSink lets it begin.
[[nodiscard]] bool is_jsonl(const std::filesystem::path& file);

/// @return a group for each period
/// @throw std::runtime_error  the file, the line and what is wrong
[[nodiscard]] std::vector<RecordedGroup> read_jsonl(const std::filesystem::path& file);

}  // namespace takt
