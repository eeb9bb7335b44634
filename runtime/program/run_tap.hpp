#pragma once
// The tap of a run: made early, joined to those who act on the plant, ended when nobody computes any more.

#include <memory>
#include <string>
#include <vector>

#include "runtime/stats/run_results.hpp"
#include "runtime/tap/tap.hpp"

namespace takt {

struct TapStart {
  Clock& clock;
  bool holds = false;  ///< a free run waits at time 0 for a client to resume it
};

/// @pre this process has one thread, plant memory is where it stays
/// @return nothing where this machine does not let there be one: a warning says why, the run does without
[[nodiscard]] std::unique_ptr<Tap> make_tap(const PlantDescription& plant, const Tap::Place& place,
                                            const TapStart& start, std::vector<std::string>& warnings);

/// After Tap::end().
void report_tap(const Tap& tap, RunResults& results);

}  // namespace takt
