#pragma once
// Recorded runs on one page: their signals over each other, what happened in them on the axis of time.

#include <filesystem>
#include <string>
#include <vector>

namespace takt::tools {

struct OverlaySettings {
  std::vector<std::filesystem::path> runs;  ///< run directories, or files of recorded signals
  std::vector<std::string> only;            ///< signals, * for any characters; empty: all
  double from_s = 0.0, to_s = 0.0;          ///< to is 0: the whole run
};

/// @throw UsageError  a run is not there, no signal is wanted
/// @throw std::runtime_error  a recording or a summary is damaged: file, line, what is wrong
[[nodiscard]] std::string overlay_page(const OverlaySettings& settings);

}  // namespace takt::tools
