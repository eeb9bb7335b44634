#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tools/takt/fmu_observed.hpp"

namespace takt::tools {

/// Rows of what was observed; as much as came until it ended.
struct Samples {
  std::vector<double> time;                 ///< s
  std::vector<std::vector<double>> values;  ///< [columns][rows]
};

/// @param rows  time and columns, row by row; what is less than a row is left out
[[nodiscard]] Samples samples_of(const std::vector<double>& rows, std::size_t columns);

/// The table of a run: "time [s],name [unit],...", numbers as the shortest text that reads back the same bits.
[[nodiscard]] std::string signals_text(const Observed& observed, const Samples& samples);

/// signals.csv and report.html in the folder, each whole or not at all.
/// @param summary  lines of text for the report's head
/// @throw std::runtime_error
void write_run(const std::filesystem::path& folder, const Observed& observed, const Samples& samples,
               const std::string& summary);

}  // namespace takt::tools
