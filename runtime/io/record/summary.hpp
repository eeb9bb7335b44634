#pragma once
// The result of a run as JSON for machines and as a table for the terminal.

#include <cstddef>
#include <span>
#include <string>

#include "runtime/plant/description.hpp"
#include "runtime/stats/run_results.hpp"

namespace takt {

/// summary.json: the fields of the README's table of results, and what the report shows.
[[nodiscard]] std::string summary_json(const RunResults& results);

/// As much as summary.json may take.
[[nodiscard]] std::size_t summary_bytes(const PlantDescription& plant);

/// A few lines with RTF, wake-up latency, overruns and their causes, subsystems, ledger, warnings; last of all whether
/// the results can be trusted.
/// @param colour  for a terminal
[[nodiscard]] std::string summary_table(const RunResults& results, bool colour = false);

/// "X008: electric: energy does not add up, first at 0.1 s, 3 times"
[[nodiscard]] std::string verdict_text(const Verdict& verdict);

/// Accounts of the domains in which energy moved, in the order of their first subsystems: what is supplied comes from
/// sources, what is received from other domains; what is dissipated goes into nothing that the plant has.
[[nodiscard]] std::vector<std::pair<std::string, EnergyAccount>> energy_by_domain(const RunResults& results);

/// Subsystems whose energy account need not close: which, why, and what it leaves unexplained; empty: none.
[[nodiscard]] std::string energy_left_out_text(const RunResults& results);

/// What was found in order: "finite values, 3 fluxes close to 1e-16, ..."
[[nodiscard]] std::string checked_text(const RunResults& results);

/// What a steady start has solved, a few lines; empty where the start values are as given.
[[nodiscard]] std::string start_text(const StartResult& start);

/// What an audit has covered and found, one line.
[[nodiscard]] std::string audit_text(const AuditResult& audit);

/// A head and a line per worker and rate; empty where there was no rehearsal.
/// @param seen  of the run; empty before it
[[nodiscard]] std::string schedule_text(const ScheduleSheet& sheet, std::span<const RateResult> seen);

/// The same worker and rate in the run; nothing where there is none.
[[nodiscard]] const RateResult* seen_of(const ForetoldRate& rate, std::span<const RateResult> seen);

/// Causes with their numbers: "2 woken late, 1 blocked", or "none".
[[nodiscard]] std::string causes_text(const OverrunLog& log);

}  // namespace takt
