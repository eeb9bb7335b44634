#pragma once
// The recorded signals of a run, in whatever format it has left them.

#include <filesystem>
#include <string>

namespace takt {

/// @param path  a run directory, or a file of recorded signals
/// @return signals.csv of the directory, else its signals.mf4, else where signals.csv should be; a file as it is
[[nodiscard]] std::filesystem::path recorded_file(const std::filesystem::path& path);

/// What signals.csv would hold, from signals.mf4.
/// @throw std::runtime_error  see read_mdf()
[[nodiscard]] std::string mdf_as_csv(const std::filesystem::path& file);

}  // namespace takt
