#pragma once
// All runs of a sweep over each other, on one page.

#include <filesystem>
#include <string>
#include <vector>

namespace takt::tools {

/// A run that is there, by its number.
struct SweptRun {
  std::size_t number = 0;
  std::filesystem::path folder;
};

/// Writes sweep.html: a plot for each path, of 200 runs at most, drawn by lot (a grid has a beat of its own).
/// @param of  how many runs the sweep has
/// @throw UsageError  a path that is not recorded
void plot_sweep(const std::filesystem::path& page, const std::vector<std::string>& paths, std::vector<SweptRun> runs,
                std::size_t of);

}  // namespace takt::tools
