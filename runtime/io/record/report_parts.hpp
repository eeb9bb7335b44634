#pragma once
// The sections of report.html; empty where a run has nothing of the kind.

#include <string>
#include <vector>

#include "runtime/io/record/svg_axes.hpp"
#include "runtime/stats/run_results.hpp"

namespace takt::report {

/// Title, verdict, key numbers, what was run where.
[[nodiscard]] std::string head(const RunResults& results);
/// Expectations with their verdicts, actions.
[[nodiscard]] std::string scenario(const RunResults& results);
/// What was done to the plant while it ran: when, by whom, what with which value and unit.
[[nodiscard]] std::string actions(const RunResults& results);
/// The same and what a scenario has done, in order of time, for marks on axes of time.
[[nodiscard]] std::vector<svg::Moment> moments(const RunResults& results);
/// All that stands on the axis of time for the script of the page: the same, verdicts of expectations, what was late,
/// what happened on buses.
[[nodiscard]] std::string events_json(const RunResults& results);
/// Deadline misses and inner lateness, time line, incidents by cause.
[[nodiscard]] std::string overruns(const RunResults& results);
/// A plot for each unit, a table of numbers with it.
[[nodiscard]] std::string signals(const RunResults& results);
/// Real-time factor, computing time by subsystem, wake-up latency.
[[nodiscard]] std::string load(const RunResults& results);
[[nodiscard]] std::string schedule(const RunResults& results);
[[nodiscard]] std::string buses(const RunResults& results);
/// Energy by domain as ribbons; empty where nothing flowed.
[[nodiscard]] std::string energy_flows(const RunResults& results);
/// Steady start, what solvers met, energy and ledger, the machine.
[[nodiscard]] std::string accounts(const RunResults& results);

}  // namespace takt::report
