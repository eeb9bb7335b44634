#include "tools/dds/reports.hpp"

#include <nlohmann/json.hpp>

namespace takt::dds {
namespace {

constexpr std::size_t most_told = 4096;

template <class T>
void take(const RunLink::Json& from, const char* key, T& to) {
  if (from.contains(key) && from[key].is_number()) to = from[key].get<T>();
}

}  // namespace

Reports::Reports(Domain& domain, const Origin& origin)
    : status_(domain.writer(takt_msgs_msg_dds__Status__desc, origin.prefix + "status", {.depth = 16})),
      events_(
          domain.writer(takt_msgs_msg_dds__Event__desc, origin.prefix + "events", {.depth = 1000, .latched = true})),
      session_(origin.session) {}

void Reports::take_status(const RunLink::Json& status) {
  if (status.contains("phase") && status["phase"].is_string()) phase_ = status["phase"].get<std::string>();
  take(status, "time_ns", last_.time_ns);
  take(status, "macro_steps", last_.macro_steps);
  take(status, "rtf", last_.rtf);
  take(status, "overruns", last_.overruns);
  take(status, "verdicts", last_.verdicts);
  take(status, "ledger_alarms", last_.ledger_alarms);
  take(status, "samples_dropped", last_.samples_dropped);
  if (status.contains("buses") && status["buses"].is_array()) take_buses(status["buses"]);
}

void Reports::take_buses(const RunLink::Json& buses) {
  buses_.assign(buses.size(), {});
  bus_texts_.clear();
  for (const RunLink::Json& bus : buses)
    for (const char* key : {"name", "state"}) bus_texts_.push_back(bus.value(key, std::string()));
  for (std::size_t k = 0; k < buses_.size(); ++k) {
    buses_[k].name = borrowed(bus_texts_[2 * k]), buses_[k].state = borrowed(bus_texts_[2 * k + 1]);
    take(buses[k], "received", buses_[k].received);
    take(buses[k], "sent", buses_[k].sent);
    take(buses[k], "failed", buses_[k].failed);
  }
}

void Reports::write_status(const Telemetry::Counts& counts) {
  last_.session = session_;
  last_.phase = borrowed(phase_);
  last_.blocks_written = counts.written;
  last_.blocks_failed = counts.failed;
  last_.rows_dropped = counts.dropped;
  const auto buses = static_cast<std::uint32_t>(buses_.size());
  last_.buses = {._maximum = buses, ._length = buses, ._buffer = buses_.data(), ._release = false};
  (void)dds_write(status_, &last_);
}

void Reports::take_event(const RunLink::Json& event) {
  if (!event.contains("event") || !event["event"].is_string()) return;
  const auto text = event["event"].get<std::string>();
  const std::int64_t time = event.value("time_ns", std::int64_t{0});
  if (event.contains("number") && !told_.emplace(time, text).second) return;
  if (told_.size() > most_told) told_.erase(told_.begin());
  tell(text, time);
}

void Reports::tell(const std::string& text, std::int64_t time_ns) {
  const Event event{.session = session_, .number = ++number_, .time_ns = time_ns, .text = borrowed(text)};
  (void)dds_write(events_, &event);
}

void Reports::settle(dds_duration_t longest) const {
  const dds_time_t until = dds_time() + longest;
  for (const dds_entity_t writer : {status_, events_})
    (void)dds_wait_for_acks(writer, std::max<dds_duration_t>(until - dds_time(), 0));
}

}  // namespace takt::dds
