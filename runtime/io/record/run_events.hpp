#pragma once
// What happened in a run, as events of its recording.

#include <vector>

#include "runtime/io/record/record_sink.hpp"
#include "runtime/stats/run_results.hpp"

namespace takt {

/// Overruns (those that are listed), time-outs and other events of buses, verdicts, and why the run ended before its
/// time; in order of time.
[[nodiscard]] std::vector<RecordEvent> run_events(const RunResults& results);

/// How the run ended, for its recording.
[[nodiscard]] std::vector<RecordProperty> run_properties(const RunResults& results);

}  // namespace takt
