#include "tools/takt/can_stats.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <numeric>

namespace takt::tools {
namespace {

using Json = nlohmann::ordered_json;

struct Periods {
  double min = 0.0, mean = 0.0, p50 = 0.0, p99 = 0.0, max = 0.0;  ///< ms
};

/// Percentiles are those of the nearest rank: one of the periods that were there.
Periods periods_of(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  const auto rank = [&](double share) {
    const auto at = static_cast<std::size_t>(std::ceil(share * static_cast<double>(seconds.size())));
    return seconds[std::clamp<std::size_t>(at, 1, seconds.size()) - 1] * 1e3;
  };
  const double sum = std::accumulate(seconds.begin(), seconds.end(), 0.0);
  return {.min = seconds.front() * 1e3,
          .mean = sum / static_cast<double>(seconds.size()) * 1e3,
          .p50 = rank(0.5),
          .p99 = rank(0.99),
          .max = seconds.back() * 1e3};
}

double to_ns(double ms) { return std::round(ms * 1e6) / 1e6; }

}  // namespace

void FrameStats::add(const LoggedFrame& logged) {
  Id& id = ids_[{logged.channel, logged.frame.extended, logged.frame.id}];
  if (id.frames > 0) id.periods_s.push_back(logged.time_s - id.last_s);
  id.last_s = logged.time_s;
  ++id.frames;
  if (logged.frame.remote)
    ++id.remote;
  else
    ++id.lengths[logged.frame.len];
}

void FrameStats::print(const codegen::Dbc* dbc, bool json) const {
  if (!json)
    std::printf("%-8s %-9s %8s %-8s %9s %9s %9s %9s %9s  %s\n", "channel", "id", "frames", "bytes", "min ms", "mean ms",
                "p50 ms", "p99 ms", "max ms", dbc != nullptr ? "message" : "");
  for (const auto& [key, id] : ids_) {
    const auto& [channel, extended, number] = key;
    std::array<char, 16> hex{};
    std::snprintf(hex.data(), hex.size(), extended ? "%08X" : "%03X", number);
    const auto* message = dbc != nullptr ? dbc->heard_as(number, extended) : nullptr;
    const bool repeated = !id.periods_s.empty();
    const Periods periods = repeated ? periods_of(id.periods_s) : Periods{};
    if (json) {
      Json lengths = Json::object();
      for (const auto& [length, frames] : id.lengths) lengths[std::to_string(length)] = frames;
      Json line{{"channel", channel}, {"id", hex.data()}, {"frames", id.frames}, {"lengths", lengths}};
      if (message != nullptr) line["message"] = message->name;
      if (id.remote > 0) line["remote"] = id.remote;
      if (repeated)
        line["period_ms"] = {{"min", to_ns(periods.min)},
                             {"mean", to_ns(periods.mean)},
                             {"p50", to_ns(periods.p50)},
                             {"p99", to_ns(periods.p99)},
                             {"max", to_ns(periods.max)}};
      std::puts(line.dump(-1, ' ', false, Json::error_handler_t::replace).c_str());
      continue;
    }
    std::string bytes;
    for (const auto& entry : id.lengths) bytes += (bytes.empty() ? "" : ",") + std::to_string(entry.first);
    if (id.remote > 0) bytes += bytes.empty() ? "R" : ",R";
    std::printf("%-8s %-9s %8llu %-8s", channel.c_str(), hex.data(), static_cast<unsigned long long>(id.frames),
                bytes.c_str());
    for (const double value : {periods.min, periods.mean, periods.p50, periods.p99, periods.max})
      repeated ? std::printf(" %9.3f", value) : std::printf(" %9s", "-");
    std::printf("  %s\n", message != nullptr ? message->name.c_str() : "");
  }
}

}  // namespace takt::tools
