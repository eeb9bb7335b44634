#pragma once
// Waits of frames between bus and plant.

#include <algorithm>
#include <string>

#include "runtime/plant/time.hpp"
#include "runtime/stats/histogram.hpp"

namespace takt::can {

/// With three decimals: "12.345".
[[nodiscard]] std::string microseconds(WallDuration d);

/// One writer. Real-time: record() as that of a Histogram.
class Latencies {
 public:
  /// Below zero counts as zero.
  void record(WallDuration d) noexcept { counts_.record(static_cast<std::uint64_t>(std::max(d, WallDuration{}).ns())); }
  /// Of ns.
  [[nodiscard]] const Histogram& counts() const noexcept { return counts_; }
  /// {"count":..,"mean_us":..,"p50_us":..,"p99_us":..,"max_us":..}
  [[nodiscard]] std::string json() const;

 private:
  Histogram counts_;
};

}  // namespace takt::can
