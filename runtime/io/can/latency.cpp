#include "runtime/io/can/latency.hpp"

namespace takt::can {

std::string microseconds(std::uint64_t ns) {
  std::string text = std::to_string(ns / 1000);
  const auto rest = std::to_string(ns % 1000);
  return text.append(".").append(3 - rest.size(), '0').append(rest);
}

std::string LatencyHistogram::json() const {
  std::string out = "{\"count\":" + std::to_string(count_);
  out += ",\"mean_us\":" + microseconds(count_ > 0 ? sum_ / count_ : 0);
  out += ",\"p50_us\":" + microseconds(percentile(0.5)) + ",\"p99_us\":" + microseconds(percentile(0.99));
  return out + ",\"max_us\":" + microseconds(max_) + "}";
}

}  // namespace takt::can
