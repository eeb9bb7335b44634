#pragma once
// Reads the signals of the files that MdfFile writes. No others: MDF is wide, and what is read here is what Takt needs
// of it.

#include <filesystem>
#include <string>
#include <vector>

namespace takt {

struct MdfSignal {
  std::string path, unit;
  std::vector<double> values;
};

/// Signals that were sampled together.
struct MdfSignals {
  std::vector<double> time_s;
  std::vector<MdfSignal> signals;
};

/// Whether it begins like an MDF file, of whatever version.
[[nodiscard]] bool is_mdf(const std::filesystem::path& file);

/// Also of a file that is being written: what has been flushed.
/// @return a group for each period
/// @throw std::runtime_error  the file, the place in it and what is wrong: cannot be opened, of another program,
/// damaged
[[nodiscard]] std::vector<MdfSignals> read_mdf(const std::filesystem::path& file);

}  // namespace takt
