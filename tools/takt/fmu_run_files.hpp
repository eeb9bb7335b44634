#pragma once

#include <filesystem>
#include <string>

#include "tools/takt/fmu_observed.hpp"
#include "tools/takt/fmu_simulation.hpp"

namespace takt::tools {

/// The table of a run: "time [s],name [unit],...", numbers as the shortest text that reads back the same bits.
[[nodiscard]] std::string signals_text(const Observed& observed, const Samples& samples);

/// signals.csv and report.html in the folder, each whole or not at all.
/// @param summary  lines of text for the report's head
/// @throw std::runtime_error
void write_run(const std::filesystem::path& folder, const Observed& observed, const Samples& samples,
               const std::string& summary);

}  // namespace takt::tools
