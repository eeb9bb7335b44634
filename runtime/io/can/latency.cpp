#include "runtime/io/can/latency.hpp"

#include "runtime/stats/format.hpp"

namespace takt::can {

std::string microseconds(WallDuration d) {
  return formatted("%.3f", static_cast<double>(std::max(d, WallDuration{}).ns()) * 1e-3);
}

std::string Latencies::json() const {
  const Percentiles us = percentiles(counts_, 1e-3);
  return "{\"count\":" + std::to_string(counts_.count()) + ",\"mean_us\":" + formatted("%.3f", us.mean) +
         ",\"p50_us\":" + formatted("%.3f", us.p50) + ",\"p99_us\":" + formatted("%.3f", us.p99) +
         ",\"max_us\":" + formatted("%.3f", us.max) + "}";
}

}  // namespace takt::can
