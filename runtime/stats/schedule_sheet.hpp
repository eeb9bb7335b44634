#pragma once
// What a paced run may take, worker by worker and rate by rate: foretold by a rehearsal, and as seen.

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/stats/histogram.hpp"

namespace takt {

/// As measured; by worker, then from the shortest period on.
struct RateResult {
  std::size_t worker = 0;
  double period_s = 0.0;
  std::uint64_t releases = 0;
  Percentiles compute_us{};   ///< of all windows of a release
  Percentiles response_us{};  ///< from the release to the end of the last of them; paced only
};

/// Of one worker and rate, before the run.
struct ForetoldRate {
  RateResult rehearsed{};
  int cpu = -1;
  int below = 0;             ///< so many other threads of its CPU go first
  double deadline_us = 0.0;  ///< after the release: the earliest at which one of its windows is due
  double response_us = 0.0;  ///< by response-time analysis; infinite: it never ends
  int cuts = 0;              ///< of micro-steps in the window that functions of the time cut most often, where the
                             ///< rehearsal did not come to it
  double cuts_at_s = 0.0;    ///< begin of that window
  double cuts_us = 0.0;      ///< what the busiest windows of its subsystems take longer than those of the rehearsal
  [[nodiscard]] double slack_us() const noexcept { return deadline_us - response_us; }
  [[nodiscard]] const char* verdict() const noexcept {
    constexpr double tight = 0.8;  // of the deadline
    return response_us <= tight * deadline_us ? "holds" : response_us <= deadline_us ? "tight" : "does not hold";
  }
};

/// What `takt tap RUN scope` would add, of one subsystem: the largest.
struct ScopeCost {
  double window_us = 0.0;      ///< to each of its windows: its memory is copied
  double macro_step_us = 0.0;  ///< to each macro-step, where all meet: what was copied goes to the tap
};

struct ScheduleSheet {
  double rehearsed_s = 0.0;  ///< 0: there was no rehearsal
  double late_us = 0.0;      ///< allowed for the start of work after a release: exceeded once in a million releases
  std::vector<ForetoldRate> rates;
  ScopeCost scope{};  ///< zero: there is none of any subsystem
};

}  // namespace takt
