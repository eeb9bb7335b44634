#include "runtime/io/record/host_results.hpp"

#include <nlohmann/json.hpp>

#include "runtime/io/record/html.hpp"
#include "runtime/io/record/overrun_groups.hpp"
#include "runtime/stats/format.hpp"

namespace takt {
namespace {

std::string share_of_late(const HostResult& host) {
  if (host.windows == 0) return "nothing crosses to it";
  const double share = static_cast<double>(host.late_windows) / static_cast<double>(host.windows);
  return counted(host.late_windows, "late version") + " of " + std::to_string(host.windows) +
         (host.late_windows == 0 ? ""
                                 : " (" + formatted("%.3g", 100.0 * share) + " %, cause remote; at most " +
                                       std::to_string(host.most_missing) + " at once)");
}

std::string clock_of(const HostResult& host) {
  if (host.round_trip_us[2] == 0.0) return "";
  return "; clock " + formatted("%+.1f", host.offset_us) + " us at the end, " + formatted("%+.1f", host.drift_ppm) +
         " ppm (within " + formatted("%.0f", host.drift_within_ppm) + ")" +
         (host.clock_jumps > 0 ? ", it jumped " + counted(host.clock_jumps, "time") : "") + "; round trip " +
         formatted("%.0f", host.round_trip_us[0]) + " to " + formatted("%.0f", host.round_trip_us[2]) +
         " us, usually " + formatted("%.0f", host.round_trip_us[1]);
}

}  // namespace

std::string host_lines(const RunResults& r) {
  std::string out;
  for (const HostResult& host : r.hosts)
    out += "host " + host.name + ": " +
           (host.lost.empty() ? share_of_late(host) + "; " + counted(host.overruns, "overrun") + clock_of(host)
                              : "lost: " + host.lost) +
           "\n";
  return out;
}

std::string host_table(const RunResults& r) {
  if (r.hosts.empty()) return "";
  std::vector<html::Row> rows;
  for (const HostResult& host : r.hosts)
    rows.push_back({host.name, host.lost.empty() ? "" : host.lost, std::to_string(host.overruns),
                    std::to_string(host.late_windows), std::to_string(host.windows), std::to_string(host.most_missing),
                    formatted("%+.1f", host.offset_us), formatted("%+.1f", host.drift_ppm),
                    formatted("%.0f", host.drift_within_ppm), formatted("%.0f", host.round_trip_us[1]),
                    formatted("%.0f", host.round_trip_us[2])});
  return "<h3>Hosts, each on its own clock</h3>" + html::table({{"host", html::Column::Kind::text},
                                                                {"lost", html::Column::Kind::text},
                                                                {"overruns"},
                                                                {"late versions"},
                                                                {"of"},
                                                                {"at once"},
                                                                {"clock, us"},
                                                                {"ppm"},
                                                                {"within"},
                                                                {"round trip, us: usual"},
                                                                {"largest"}},
                                                               rows);
}

nlohmann::ordered_json hosts_json(const RunResults& r) {
  auto list = nlohmann::ordered_json::array();
  for (const HostResult& host : r.hosts)
    list.push_back(
        {{"name", host.name},
         {"lost", host.lost},
         {"overruns", host.overruns},
         {"worst_miss_ms", host.worst_miss_ms},
         {"windows", host.windows},
         {"late_versions", host.late_windows},
         {"most_missing", host.most_missing},
         {"clock_offset_us", host.offset_us},
         {"clock_drift_ppm", host.drift_ppm},
         {"clock_drift_within_ppm", host.drift_within_ppm},
         {"clock_jumps", host.clock_jumps},
         {"round_trip_us",
          {{"smallest", host.round_trip_us[0]}, {"usual", host.round_trip_us[1]}, {"largest", host.round_trip_us[2]}}},
         {"digest_void", host.digest_void}});
  return list;
}

}  // namespace takt
