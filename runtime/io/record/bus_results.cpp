#include "runtime/io/record/bus_results.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "runtime/io/record/overrun_groups.hpp"
#include "runtime/json/parse_json.hpp"
#include "runtime/stats/format.hpp"

namespace takt {
namespace {

using Json = nlohmann::ordered_json;

double number(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : 0.0;
}

std::uint64_t count(const Json& object, const char* key) {
  const double value = number(object, key);
  return value > 0.0 && value < 1e18 ? static_cast<std::uint64_t>(value) : 0;
}

std::string text(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

void add_signals(BusMessage& message, const Json& entry) {
  message.did_not_fit = count(entry, "saturated") + count(entry, "not_numbers");
  const auto list = entry.find("signals");
  if (list == entry.end() || !list->is_array()) return;
  for (const Json& signal : *list)
    if (signal.is_object())
      message.signals.push_back({.name = text(signal, "signal"),
                                 .saturated = count(signal, "saturated"),
                                 .not_numbers = count(signal, "not_numbers"),
                                 .out_of_range = count(signal, "out_of_range")});
}

/// "out_of_sequence" as "out of sequence"
std::string words_of(std::string key) {
  std::replace(key.begin(), key.end(), '_', ' ');
  return key;
}

void add_messages(BusResult& bus, const Json& list, bool sent) {
  if (!list.is_array()) return;
  for (const Json& entry : list) {
    if (!entry.is_object()) continue;
    BusMessage message{.name = text(entry, "message"),
                       .sent = sent,
                       .frames = count(entry, "frames"),
                       .timeouts = count(entry, "timeouts"),
                       .before_start = count(entry, "before_start"),
                       .refused = count(entry, sent ? "failed" : "not_numbers"),
                       .out_of_range = count(entry, "out_of_range"),
                       .too_short = count(entry, "too_short"),
                       .too_long = count(entry, "too_long"),
                       .wrong_checksum = count(entry, "wrong_checksum"),
                       .superseded = count(entry, "superseded")};
    if (entry.contains("max_age_us") && message.frames > 0) message.max_age_us = number(entry, "max_age_us");
    if (entry.contains("mean_cycle_us") && entry["mean_cycle_us"].is_number())
      message.mean_cycle_us = number(entry, "mean_cycle_us");
    if (const auto counts = entry.find("of_kind"); counts != entry.end() && counts->is_object())
      for (const auto& [name, value] : counts->items())
        message.of_kind.emplace_back(words_of(name), count(*counts, name.c_str()));
    if (sent) add_signals(message, entry);
    if (sent) bus.sent += message.frames;
    bus.messages.push_back(std::move(message));
  }
}

void add_latency(BusResult& bus, const Json& entry, const char* key, const char* what) {
  const auto found = entry.find(key);
  if (found == entry.end() || !found->is_object() || count(*found, "count") == 0) return;
  bus.latencies.push_back({.what = what,
                           .count = count(*found, "count"),
                           .p50_us = number(*found, "p50_us"),
                           .p99_us = number(*found, "p99_us"),
                           .p999_us = number(*found, "p999_us"),
                           .max_us = number(*found, "max_us")});
}

/// "error active at the end; load 3.0 %, in the worst second 3.4 %; ..."
std::string link_text(const Json& link) {
  std::string out = text(link, "state") == "unknown" ? "" : text(link, "state") + " at the end";
  const auto add = [&out](const std::string& part) { out += (out.empty() ? "" : "; ") + part; };
  if (link.contains("load_mean") && link["load_mean"].is_number()) {
    add(formatted("load %.1f %%", 100.0 * number(link, "load_mean")));
    if (link.contains("load_of_worst_second") && link["load_of_worst_second"].is_number())
      out += formatted(", in the worst second %.1f %%", 100.0 * number(link, "load_of_worst_second"));
  }
  if (link.contains("error_counters_most") && link["error_counters_most"].is_object())
    add("greatest error counters " + std::to_string(count(link["error_counters_most"], "sent")) + " (sent), " +
        std::to_string(count(link["error_counters_most"], "received")) + " (received)");
  if (link.contains("counts") && link["counts"].is_object())
    for (const auto& [key, value] : link["counts"].items())
      if (value.is_number_unsigned() && value.get<std::uint64_t>() > 0) {
        add(words_of(key) + " " + std::to_string(value.get<std::uint64_t>()));
      }
  if (count(link, "restarts_by_plant") > 0)
    add("restarted by the plant " + counted(count(link, "restarts_by_plant"), "time"));
  if (count(link, "lost_by_controller") > 0)
    add(counted(count(link, "lost_by_controller"), "frame") + " lost by the controller");
  return out;
}

BusResult bus_of(const Json& entry) {
  BusResult bus{.name = text(entry, "name"), .bus = text(entry, "bus")};
  bus.received = count(entry, "frames_received");
  if (entry.contains("link") && entry["link"].is_object()) bus.link = link_text(entry["link"]);
  bus.bus_off = count(entry, "bus_off");
  bus.lost_by_controller =
      entry.contains("link") && entry["link"].is_object() ? count(entry["link"], "lost_by_controller") : 0;
  bus.not_mapped = count(entry, "frames_not_mapped");
  bus.too_short = count(entry, "frames_too_short");
  bus.lost = count(entry, "dropped_receive_ring") + count(entry, "dropped_send_ring");
  bus.errors = count(entry, "bus_errors");
  for (const auto& [key, value] : entry.items())
    if (value.is_number_unsigned() && key != "frames_received" && key != "frames_not_mapped" &&
        key != "frames_too_short")
      bus.counters.emplace_back(key, count(entry, key.c_str()));
  if (const Json start = entry.value("rest_start", Json()); start.is_object() && start.contains("began_after_s")) {
    const Json what = start.value("waits_for", Json());
    if (start["began_after_s"].is_null()) bus.rest_never = what.is_string() ? what.get<std::string>() : "something";
  }
  if (entry.contains("received")) add_messages(bus, entry["received"], false);
  if (entry.contains("sent")) add_messages(bus, entry["sent"], true);
  add_latency(bus, entry, "receive_to_window", "a frame's arrival to the window that used it");
  add_latency(bus, entry, "window_to_send", "the end of a window to its frame on the bus");
  add_latency(bus, entry, "cyclic_jitter", "cyclic frames: deviation from the cycle");
  return bus;
}

GatewayResult gateway_of(const Json& entry) {
  const Json latency = entry.value("latency", Json::object());
  return {.name = text(entry, "gateway"),
          .from = text(entry, "from"),
          .to = text(entry, "to"),
          .taken = count(entry, "taken"),
          .forwarded = count(entry, "forwarded"),
          .dropped = count(entry, "dropped_queue_full"),
          .refused = count(entry, "refused_not_carried"),
          .cut = count(entry, "lost_by_cut"),
          .waiting = count(entry, "waiting_at_the_end"),
          .p50_us = number(latency, "p50_us"),
          .p99_us = number(latency, "p99_us"),
          .max_us = number(latency, "max_us")};
}

}  // namespace

std::vector<GatewayResult> gateway_results(const std::string& statistics_json) {
  const auto root = json_or_none<Json>(statistics_json);
  std::vector<GatewayResult> result;
  if (!root.is_object() || !root.contains("gateways") || !root["gateways"].is_array()) return result;
  for (const Json& entry : root["gateways"])
    if (entry.is_object()) result.push_back(gateway_of(entry));
  return result;
}

std::vector<BusResult> bus_results(const std::string& statistics_json) {
  const auto root = json_or_none<Json>(statistics_json);
  std::vector<BusResult> result;
  if (!root.is_object() || !root.contains("buses") || !root["buses"].is_array()) return result;
  for (const Json& entry : root["buses"])
    if (entry.is_object()) result.push_back(bus_of(entry));
  return result;
}

}  // namespace takt
