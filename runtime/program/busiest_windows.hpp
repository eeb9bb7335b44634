#pragma once
// Windows that functions of the time cut more often than any that a rehearsal met: a rehearsal sees the first seconds,
// a profile may turn ten times in a window a minute later.

#include <cstdint>
#include <vector>

#include "runtime/executive/clock.hpp"
#include "runtime/plant/description.hpp"

namespace takt {

/// Of one subsystem, the window whose micro-steps are cut most often.
struct BusiestWindow {
  std::size_t subsystem = 0;
  std::int64_t at_ns = 0;   ///< simulated time of its begin
  int cuts = 0;             ///< of its micro-steps, at instants at which functions of the time jump or bend
  std::int64_t met_ns = 0;  ///< the busiest window before `met_until`, and its cuts
  int met = 0;
  double more_us = 0.0;  ///< what it takes longer than that one; as measured
};

/// Between 0 and `until_ns`, of those subsystems whose busiest window is met after `met_until_ns` only. At most a
/// million instants of a subsystem are looked at, four of all together: of what turns more often, the first of them.
[[nodiscard]] std::vector<BusiestWindow> busiest_windows(const PlantDescription& plant, std::int64_t met_until_ns,
                                                         std::int64_t until_ns);

/// Fills in more_us: both windows are computed again and again from the state that the plant's memory is in, and the
/// medians compared. The state is put back each time; outputs are those of the last. Two seconds for all of them, but
/// five times each. Not real-time: allocates.
void measure_cuts(const PlantDescription& plant, std::vector<BusiestWindow>& windows, Clock& clock);

}  // namespace takt
