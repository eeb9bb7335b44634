#pragma once
// The result of a run as JSON for machines and as a table for the terminal.

#include <string>

#include "runtime/stats/run_results.hpp"

namespace takt {

/// summary.json: the fields of the README's table of results, and what the report shows.
[[nodiscard]] std::string summary_json(const RunResults& results);

/// A few lines with RTF, wake-up latency, overruns and their causes, subsystems, ledger, warnings.
[[nodiscard]] std::string summary_table(const RunResults& results);

/// What a steady start has solved, a few lines; empty where the start values are as given.
[[nodiscard]] std::string start_text(const StartResult& start);

/// Causes with their numbers: "2 woken late, 1 blocked", or "none".
[[nodiscard]] std::string causes_text(const OverrunLog& log);

}  // namespace takt
