#pragma once
// Incidents of a run by their cause, with words for those who have to mend it.

#include <string>
#include <vector>

#include "runtime/stats/run_results.hpp"

namespace takt {

/// All incidents of one cause; those of the grace period are apart.
struct OverrunGroup {
  OverrunCause cause = OverrunCause::unexplained;
  std::uint64_t incidents = 0;  ///< also those that no longer fit the list
  std::uint64_t listed = 0;     ///< overload, subsystem and the latest incident are of these
  std::uint64_t misses = 0;     ///< macro-steps that ended after the release of the next one
  std::uint64_t inner = 0;      ///< late at a release within the macro-step
  std::uint64_t dropped = 0;    ///< periods
  std::uint64_t overload = 0;   ///< incidents where what is usual takes longer than a period
  double overload_times = 0.0;  ///< by how much: computing time over period
  WallDuration worst;
  SimTime first, last;
  std::uint16_t subsystem = 0xffff;         ///< named most often
  const OverrunIncident* latest = nullptr;  ///< the listed incident with the worst lateness
};

/// What made most deadlines missed first, then what made most windows late within macro-steps, then most incidents: an
/// incident may be one period long or many; empty where there were none outside of the grace period.
[[nodiscard]] std::vector<OverrunGroup> overrun_groups(const RunResults& results);

/// Who or what it was, one sentence.
[[nodiscard]] std::string meaning_of(const OverrunGroup& group);
/// What helps against it, of what this run shows could.
[[nodiscard]] std::string remedy_of(const RunResults& results, const OverrunGroup& group);

/// Name of a subsystem; "the executive" where the number is none.
[[nodiscard]] std::string subsystem_name(const RunResults& results, std::uint16_t subsystem);

/// "12 incidents"
[[nodiscard]] std::string counted(std::uint64_t number, const std::string& one, const std::string& several = {});

}  // namespace takt
