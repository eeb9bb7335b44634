// What the buses report when a run is over.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "runtime/io/can/line.hpp"

namespace takt::can {
namespace {

using Json = nlohmann::ordered_json;

double microseconds(std::uint64_t ns) { return static_cast<double>(ns) / 1000.0; }

Json json(const LatencyHistogram& histogram) {
  return {{"count", histogram.count()},
          {"mean_us", microseconds(histogram.mean())},
          {"p50_us", microseconds(histogram.percentile(0.5))},
          {"p99_us", microseconds(histogram.percentile(0.99))},
          {"max_us", microseconds(histogram.largest())}};
}

/// @param line  CanPort::Line, which is private
Json bus_json(const auto& line) {
  Json result{{"name", line.plan.name},
              {"bus", line.bus_text},
              {"io_thread_real_time", line.real_time},
              {"frames_received", line.received_frames},
              {"frames_not_mapped", line.not_mapped},
              {"dropped_receive_ring", line.receive_ring_full},
              {"dropped_send_ring", line.send_ring_full},
              {"bus_errors", line.bus_errors}};
  if (line.bus)
    for (const auto& [name, value] : line.bus->counters()) result[name] = value;
  result["receive_to_window"] = json(line.receive_to_window);
  result["window_to_send"] = json(line.window_to_send);
  result["cyclic_jitter"] = json(line.jitter);
  Json& received = result["received"] = Json::array();
  for (std::size_t k = 0; k < line.receiving.size(); ++k) {
    const auto& state = line.receiving[k];
    received.push_back(
        {{"message", line.plan.receive[k].info.name},
         {"frames", state.frames},
         {"timeouts", state.timeouts},
         {"not_numbers", state.not_numbers},
         {"max_age_us", microseconds(static_cast<std::uint64_t>(std::max(state.max_age_ns, INT64_C(0))))}});
  }
  Json& sent = result["sent"] = Json::array();
  for (std::size_t k = 0; k < line.leaving.size(); ++k) {
    const auto& state = line.leaving[k];
    sent.push_back({{"message", line.plan.send[k].info.name},
                    {"frames", state.frames},
                    {"superseded", state.superseded},
                    {"failed", state.failed}});
  }
  return result;
}

}  // namespace

std::string CanPort::statistics_json() const {
  Json result;
  Json& buses = result["buses"] = Json::array();
  for (const auto& line : lines_) buses.push_back(bus_json(*line));
  return result.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace takt::can
