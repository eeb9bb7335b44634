#pragma once
// What a worker computes at one rate: how long it takes, and how long after the release it is there.

#include <cstdint>

#include "runtime/plant/time.hpp"
#include "runtime/stats/histogram.hpp"

namespace takt {

/// One writer, its worker; read after the run.
/// Real-time: window() is an addition, but for the last window of a release, which visits the histograms.
struct RateStats {
  SimDuration period{};
  Histogram compute_ticks{};  ///< of all windows of a release
  Histogram response_ns{};    ///< from the release to the end of the last of them; paced only
  std::uint64_t sum = 0;      ///< ticks, of the release under way
};

}  // namespace takt
