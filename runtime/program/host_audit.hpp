#pragma once
// What this machine offers to a real-time thread, what it lacks, what that costs, and how to mend it.

#include <span>
#include <string>
#include <vector>

#include "runtime/stats/run_results.hpp"

namespace takt {

/// Reads /proc and /sys and tries what must be permitted (on a thread of its own). Never throws; what cannot be read is
/// reported as unknown.  @param cpu  CPU meant for the real-time thread; -1: any.  @param priority  SCHED_FIFO priority
[[nodiscard]] std::vector<HostFinding> audit_host(int cpu, int priority = 80);

/// The same for several CPUs: what is true of each of them is said once.
[[nodiscard]] std::vector<HostFinding> audit_host(std::span<const int> cpus, int priority);

/// Findings that are required and not good: the reasons why --strict refuses.
[[nodiscard]] std::vector<HostFinding> missing_prerequisites(const std::vector<HostFinding>& findings);

}  // namespace takt
