#pragma once
// The schedule sheet: whether a paced run can hold its deadlines, computed from a rehearsal before it begins.

#include <string>

#include "runtime/io/io_port.hpp"
#include "runtime/plant/input_script.hpp"
#include "runtime/plant/rig_settings.hpp"
#include "runtime/program/core_use.hpp"
#include "runtime/stats/run_results.hpp"
#include "runtime/stats/schedule_sheet.hpp"

namespace takt {

struct RehearsalSettings {
  RigSettings rig{};
  std::uint64_t macro_steps = 0;             ///< of the run: a rehearsal is not longer; 0: not known
  IoPort* io = nullptr;                      ///< made for a rehearsal; nullptr: the plant has none
  std::span<const BundledRun> bundled = {};  ///< of the plant
};

/// The plant runs paced for a short time (100 macro-steps, but 1 s to 4 s), on its own threads and CPUs, in memory of
/// its own, with buses that carry nothing and records that are not kept. From its computing times follow the response
/// times: one macro-step is played through, every window of a rate taking its share of what that rate takes longer than
/// once in a million releases, in the order of the plan, with its waits for other workers; a thread below others of its
/// CPU is pre-empted by them, R = C + sum of ceil(R/T_j)*C_j. What work begins later than its release is added,
/// estimated in the same way. Windows that functions of the time cut more often than any that was rehearsed are
/// measured by themselves (busiest_windows.hpp). Not in it: what buses would bring, the disk, other programs.
[[nodiscard]] ScheduleSheet make_schedule_sheet(const PlantDescription& plant, const CoreUse& cores,
                                                const InputScript& script, const RehearsalSettings& settings);

}  // namespace takt
