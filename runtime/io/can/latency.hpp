#pragma once
// Waits of frames between bus and plant.

#include <algorithm>
#include <cstdint>

#include "runtime/plant/time.hpp"
#include "runtime/stats/histogram.hpp"

namespace takt::can {

/// One writer. Real-time: record() as that of a Histogram.
class Latencies {
 public:
  /// Below zero counts as zero.
  void record(WallDuration d) noexcept { counts_.record(static_cast<std::uint64_t>(std::max(d, WallDuration{}).ns())); }
  /// Of ns.
  [[nodiscard]] const Histogram& counts() const noexcept { return counts_; }

 private:
  Histogram counts_;
};

}  // namespace takt::can
