// What the buses report when a run is over.

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "runtime/io/can/bus_trace.hpp"
#include "runtime/io/can/line.hpp"
#include "runtime/io/can/link/link_watch.hpp"

namespace takt::can {
namespace {

using Json = nlohmann::ordered_json;

/// In us, to the ns.
double microseconds(WallDuration d) { return static_cast<double>(std::max(d, WallDuration{}).ns()) / 1e3; }

Json json(const Latencies& latencies) {
  const auto us = [](double ns) { return std::round(ns) / 1e3; };
  const Percentiles ns = percentiles(latencies.counts(), 1.0);
  return {{"count", latencies.counts().count()},
          {"mean_us", us(ns.mean)},
          {"p50_us", us(ns.p50)},
          {"p99_us", us(ns.p99)},
          {"p999_us", us(ns.p999)},
          {"max_us", us(ns.max)}};
}

/// Of frames between two times: null where there are less than two.
Json mean_cycle_us(WallTime first, WallTime last, std::uint64_t frames) {
  if (frames < 2) return nullptr;
  return std::round(static_cast<double>((last - first).ns()) / static_cast<double>(frames - 1)) / 1e3;
}

Json trace_json(const TraceRing& ring, const std::vector<TraceFiles::Account>& accounts) {
  Json files = Json::array();
  for (const TraceFiles::Account& account : accounts)
    files.push_back({{"file", account.file}, {"frames", account.frames}, {"lost", account.lost}});
  return {{"dropped", ring.dropped()}, {"files", std::move(files)}};
}

Json timing_json(const std::optional<BitTimingInEffect>& timing) {
  if (!timing) return nullptr;
  return {{"bitrate", timing->bitrate}, {"sample_point", timing->sample_point / 1e3}};
}

Json load_json(const std::optional<double>& load) { return load ? Json(std::round(*load * 1e4) / 1e4) : Json(nullptr); }

Json link_json(const LinkReport& link) {
  Json result{{"kind", link.last.kind},
              {"state", text(link.last.state)},
              {"nominal", timing_json(link.last.nominal)},
              {"data", link.last.fd ? timing_json(link.last.data) : Json(nullptr)},
              {"load_mean", load_json(link.mean_load)},
              {"load_of_worst_second", load_json(link.most_load)},
              {"restarts_by_plant", link.restarts}};
  if (link.last.errors) result["error_counters_most"] = {{"sent", link.most.sent}, {"received", link.most.received}};
  if (link.last.counts) {
    const LinkCounts counts = link.counts();
    result["counts"] = {{"bus_errors", counts.bus_errors},
                        {"error_warning", counts.warnings},
                        {"error_passive", counts.passives},
                        {"bus_off", counts.bus_offs},
                        {"arbitration_lost", counts.lost_arbitration},
                        {"restarts", counts.restarts}};
  }
  result["lost_by_controller"] = link.last.traffic.lost_received - link.first.traffic.lost_received;
  return result;
}

/// Of the signals that have some.  @param all  CanPort::Line::SentValues, of the signals of the message
Json sent_values_json(const SendPlan& plan, const auto& all) {
  std::uint64_t saturated = 0, not_numbers = 0, out_of_range = 0;
  Json signals = Json::array();
  for (const auto& values : all) {
    saturated += values.saturated, not_numbers += values.not_numbers, out_of_range += values.out_of_range;
    if (values.do_not_fit() + values.out_of_range == 0) continue;
    signals.push_back({{"signal", plan.info.signals[values.place].name},
                       {"saturated", values.saturated},
                       {"not_numbers", values.not_numbers},
                       {"out_of_range", values.out_of_range},
                       {"first_s", values.first.seconds()}});
    if (values.saturated + values.out_of_range > 0)
      signals.back().update({{"least", values.least}, {"most", values.most}});
  }
  Json result{{"saturated", saturated}, {"not_numbers", not_numbers}, {"out_of_range", out_of_range}};
  if (!signals.empty()) result["signals"] = std::move(signals);
  return result;
}

/// @param line  CanPort::Line, which is private
Json bus_json(const auto& line) {
  Json result{{"name", line.plan.name},
              {"bus", line.bus_text},
              {"io_thread_real_time", line.real_time},
              {"frames_received", line.received_frames},
              {"frames_not_mapped", line.not_mapped},
              {"frames_too_short", std::accumulate(line.too_short.begin(), line.too_short.end(), std::uint64_t{0})},
              {"dropped_receive_ring", line.receive_ring_full},
              {"dropped_send_ring", line.send_ring_full},
              {"bus_errors", line.bus_errors.load()}};
  if (const auto lost = line.send_faults.lost() + line.receive_faults.lost(); lost > 0)
    result["frames_lost_in_delays"] = lost;
  if (const auto held = line.send_faults.held() + line.receive_faults.held(); held > 0)
    result["frames_held_at_the_end"] = held;
  if (line.bus)
    for (const auto& [name, value] : line.bus->counters()) result[name] = value;
  if (line.bus) {
    Json clients = Json::array();
    for (const ClientReport& client : line.bus->clients())
      clients.push_back({{"client", client.number},
                         {"protocol", client.protocol},
                         {"frames_from", client.frames_from},
                         {"frames_to", client.frames_to},
                         {"dropped_too_slow", client.dropped},
                         {"not_carried", client.not_carried},
                         {"garbage", client.garbage},
                         {"end", client.end}});
    if (!clients.empty()) result["clients"] = std::move(clients);
  }
  if (line.bus && line.bus->link() != nullptr) result["link"] = link_json(*line.bus->link());
  result["receive_to_window"] = json(line.receive_to_window);
  result["window_to_send"] = json(line.window_to_send);
  result["cyclic_jitter"] = json(line.jitter);
  if (line.rest.size() > 0) result["rest_jitter"] = json(line.rest_jitter);
  if (line.rest_waits())
    result["rest_start"] = {
        {"waits_for", line.plan.rest_start.text},
        {"began_after_s", line.rest.began() ? Json((*line.rest.began() - line.opened).seconds()) : Json()}};
  Json& received = result["received"] = Json::array();
  for (std::size_t k = 0; k < line.receiving.size(); ++k) {
    const auto& state = line.receiving[k];
    received.push_back({{"message", line.plan.receive[k].info.name},
                        {"frames", state.frames},
                        {"mean_cycle_us", mean_cycle_us(state.first_counted, state.newest_counted, state.frames)},
                        {"before_start", state.before_start},
                        {"timeouts", state.timeouts},
                        {"not_numbers", state.not_numbers},
                        {"out_of_range", state.out_of_range},
                        {"too_short", line.too_short[k]},
                        {"too_long", line.too_long[k]},
                        {"max_age_us", microseconds(state.max_age)}});
    if (line.receive_protection.is_protected(k)) {
      const auto& counts = line.receive_protection.counts(k);
      received.back().update({{"wrong_checksum", counts.wrong_checksum},
                              {"repeated", counts.repeated},
                              {"lost", counts.lost},
                              {"wrong_sequence", counts.wrong_sequence}});
    }
    if (line.receive_faults.met(k) > 0) received.back()["met_a_fault"] = line.receive_faults.met(k);
  }
  Json& sent = result["sent"] = Json::array();
  const auto infos = line.sent_infos();
  for (std::size_t k = 0; k < line.leaving.size(); ++k) {
    const auto& state = line.leaving[k];
    sent.push_back({{"message", infos[k]->name},
                    {"frames", state.frames},
                    {"mean_cycle_us", mean_cycle_us(state.first_left, state.newest_left, state.frames)},
                    {"superseded", state.superseded},
                    {"failed", state.failed}});
    if (k < line.sending.size()) sent.back().update(sent_values_json(line.plan.send[k], line.sending[k].counted));
    if (k >= line.plan.send.size()) sent.back()["rest"] = true;
    if (line.send_faults.met(k) > 0) sent.back()["met_a_fault"] = line.send_faults.met(k);
  }
  Json lost = Json::object();
  for (std::size_t k = 0; k < line.plan.nodes.size(); ++k)
    if (line.bus_faults.lost_with(k) > 0) lost[line.plan.nodes[k]] = line.bus_faults.lost_with(k);
  if (!lost.empty()) result["frames_lost_with_stopped_nodes"] = std::move(lost);
  if (line.bus_faults.lost_by_cut() > 0) result["frames_lost_by_cut"] = line.bus_faults.lost_by_cut();
  if (line.bus_faults.babbled() > 0) result["frames_babbled"] = line.bus_faults.babbled();
  return result;
}

/// @param lines  of CanPort
Json gateways_json(const auto& lines) {
  Json all = Json::array();
  for (const auto& line : lines)
    for (std::size_t k = 0; k < line->routes_from.size(); ++k) {
      const auto& route = line->routes_from[k];
      const GatewayRoute::Counts counts = route->counts();
      all.push_back({{"gateway", route->plan().name},
                     {"from", line->plan.name},
                     {"to", lines[route->plan().to]->plan.name},
                     {"taken", counts.taken},
                     {"forwarded", counts.forwarded},
                     {"dropped_queue_full", counts.dropped},
                     {"refused_not_carried", counts.refused},
                     {"lost_by_cut", counts.cut},
                     {"waiting_at_the_end", counts.waiting},
                     {"latency", json(route->latencies())}});
      if (const auto lost = line->gateway_faults.lost_with(k); lost > 0) all.back()["lost_while_stopped"] = lost;
    }
  return all;
}

}  // namespace

std::vector<std::string> CanPort::Line::counted_texts() const {
  std::vector<std::string> texts;
  const auto add = [&](const auto& count_of, const char* what) {
    std::string names;
    for (std::size_t k = 0; k < receiving.size(); ++k)
      if (const std::uint64_t count = count_of(k); count > 0)
        names +=
            std::string(names.empty() ? "" : ", ") + plan.receive[k].info.name + " (" + std::to_string(count) + ")";
    if (!names.empty()) texts.push_back(std::string(plan.name) + ": " + what + ": " + names);
  };
  add([&](std::size_t k) { return too_short[k]; }, "frames with less data than their message has were not taken");
  add([&](std::size_t k) { return too_long[k]; }, "frames with more data than their message has were taken");
  add([&](std::size_t k) { return receiving[k].out_of_range; },
      "values beyond the range that the database gives were taken");
  std::string names;
  for (std::size_t k = 0; k < receiving.size(); ++k) {
    const auto& counts = receive_protection.counts(k);
    if (counts.sum() == 0) continue;
    std::string parts;
    for (const auto& [count, what] : {std::pair{counts.wrong_checksum, " with a wrong checksum"},
                                      {counts.repeated, " repeated"},
                                      {counts.lost, " lost"},
                                      {counts.wrong_sequence, " out of sequence"}})
      if (count > 0) parts += (parts.empty() ? "" : ", ") + std::to_string(count) + what;
    names += std::string(names.empty() ? "" : "; ") + plan.receive[k].info.name + ": " + parts;
  }
  if (!names.empty()) texts.push_back(std::string(plan.name) + ": protection found frames of " + names);
  return texts;
}

std::string CanPort::Line::kept_out_text() const {
  if (!bus || bus->kept_out() == 0) return {};
  std::string names;
  for (std::size_t k = 0; k < receiving.size(); ++k)
    if (receiving[k].frames == 0) names += (names.empty() ? "" : ", ") + std::string(plan.receive[k].info.name);
  if (names.empty()) return {};
  return std::string(plan.name) + ": nothing came of " + names + ", and " + std::to_string(bus->kept_out()) +
         " connections were kept out, because others held the places: its sender may be one of them. End those, or "
         "give "
         "the bus a token ([bus." +
         plan.name + "] token), which only its own clients know";
}

std::string CanPort::statistics_json() const {
  Json result;
  Json& buses = result["buses"] = Json::array();
  std::size_t traced = 0;
  for (const auto& line : lines_) {
    buses.push_back(bus_json(*line));
    if (trace_ && line->trace) buses.back()["trace"] = trace_json(*line->trace, trace_->accounts(traced++));
  }
  if (Json gateways = gateways_json(lines_); !gateways.empty()) result["gateways"] = std::move(gateways);
  return result.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace takt::can
