#include "runtime/io/can/can_port.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "runtime/io/can/bus_trace.hpp"
#include "runtime/io/can/line.hpp"
#include "runtime/io/can/safe_frames.hpp"
#include "runtime/io/record/standard_streams.hpp"
#include "runtime/plant/wall_clock.hpp"
#include "runtime/stats/format.hpp"

namespace takt::can {
namespace {

enum EventKind : std::uint8_t { kind_never_seen, kind_timed_out, kind_back };

std::string seconds(double s) { return formatted("%.3f s", s); }

}  // namespace

CanPort::CanPort(const PlantDescription& plant, std::span<const BusPlan> buses,
                 const std::vector<std::pair<std::string, std::string>>& overrides, int priority) {
  for (const auto& bus : buses) {
    lines_.push_back(
        std::make_unique<Line>(bus, static_cast<std::uint8_t>(lines_.size()), SimDuration{plant.macro_step_ns}));
    lines_.back()->resolve(plant);
    add_disturbed(*lines_.back());
    if (priority > 0) lines_.back()->priority = std::clamp(bus.priority, 1, std::max(1, priority - 1));
  }
  for (auto& line : lines_)
    for (const RoutePlan& plan : line->plan.routes) {
      Line& to = *lines_.at(plan.to);
      line->routes_from.push_back(std::make_unique<GatewayRoute>(plan, WallDuration{to.plan.grid_ns}));
      to.routes_to.push_back(line->routes_from.back().get());
    }
  for (const auto& [key, value] : overrides) override(key, value);
  events_.resize(max_events);
  for (auto& line : lines_)
    line->say_events = [this, number = line->number](std::size_t from) { return say_events(from, number); };
}

void CanPort::add_disturbed(Line& line) {
  const std::string prefix = std::string(line.plan.name) + ".";
  add_disturbed(line.sent_infos(), line.send_faults, prefix + "send.");
  add_disturbed(line.received_infos(), line.receive_faults, prefix + "receive.");
  OutsideFault fault{.path = "",
                     .kinds = node_fault_kinds,
                     .pack = [](const void*, std::string_view text) { return parse_node_fault(text); },
                     .text = [](const void*, std::uint64_t word) { return node_fault_text(word); }};
  for (std::size_t k = 0; k < line.plan.nodes.size(); ++k) {
    fault.path = prefix + "node." + line.plan.nodes[k];
    disturbed_.push_back({fault, nullptr, &line.bus_faults, {k}});
  }
  for (std::size_t k = 0; k < line.plan.routes.size(); ++k) {
    fault.path = prefix + "gateway." + line.plan.routes[k].name;
    disturbed_.push_back({fault, nullptr, &line.gateway_faults, {k}});
  }
  fault = {.path = prefix + "bus",
           .kinds = bus_fault_kinds,
           .pack = [](const void*, std::string_view text) { return parse_bus_fault(text); },
           .text = [](const void*, std::uint64_t word) { return bus_fault_text(word); }};
  disturbed_.push_back({fault, nullptr, &line.bus_faults, {line.bus_faults.nodes()}});
}

void CanPort::add_disturbed(const std::vector<const MessageInfo*>& messages, FrameFaults& faults,
                            const std::string& prefix) {
  for (std::size_t k = 0; k < messages.size(); ++k) {
    const MessageInfo& info = *messages[k];
    const std::string path = prefix + info.name;
    const auto known = std::find_if(disturbed_.begin(), disturbed_.end(),
                                    [&](const Disturbed& disturbed) { return disturbed.fault.path == path; });
    if (known != disturbed_.end()) {
      known->places.push_back(k);
      continue;
    }
    const OutsideFault fault{.path = path,
                             .kinds = frame_fault_kinds,
                             .of = &info,
                             .pack =
                                 [](const void* of, std::string_view text) {
                                   return word_of(parse_frame_fault(text, *static_cast<const MessageInfo*>(of)));
                                 },
                             .text =
                                 [](const void* of, std::uint64_t word) {
                                   return frame_fault_text(frame_fault_of(word), *static_cast<const MessageInfo*>(of));
                                 }};
    disturbed_.push_back({fault, &faults, nullptr, {k}});
  }
}

std::vector<OutsideFault> CanPort::outside_faults() const {
  std::vector<OutsideFault> faults;
  for (const Disturbed& disturbed : disturbed_) faults.push_back(disturbed.fault);
  return faults;
}

void CanPort::disturb(std::uint32_t fault, std::uint64_t word) noexcept {
  const Disturbed& disturbed = disturbed_[fault];
  for (const std::size_t place : disturbed.places)
    if (disturbed.frames != nullptr)
      disturbed.frames->inject(place, frame_fault_of(word));
    else
      disturbed.bus->inject(place, word);
}

CanPort::~CanPort() {
  if (running_) stop();
}

void CanPort::rehearse() {
  for (auto& line : lines_) {
    line->rehearsal = true;
    line->say_events = [](std::size_t from) { return from; };
  }
}

std::size_t CanPort::count_in(std::span<BusCounts> counts) {
  const std::size_t used = std::min(counts.size(), lines_.size());
  for (std::size_t k = 0; k < used; ++k) {
    const std::string_view name = lines_[k]->plan.name;
    name.copy(counts[k].name.data(), counts[k].name.size() - 1);
    lines_[k]->told_counts = &counts[k];
  }
  return used;
}

void CanPort::start() {
  make_trace_rings();
  const WallTime begin = wall_now();
  for (auto& line : lines_) line->open();
  begin_trace(begin);
  for (auto& line : lines_) {
    if (!line->rehearsal) std::fprintf(stderr, "takt: bus %s: %s\n", line->plan.name, line->bus_text.c_str());
    line->start_thread();
  }
  running_ = true;
}

void CanPort::stop() {
  for (auto& line : lines_) {
    if (!line->thread.has_started()) continue;
    line->thread.stop();
    if (line->bus) line->bus->finish();
    if (const std::string text = line->kept_out_text(); !text.empty()) (void)tell("takt: warning: " + text + "\n");
    if (line->rest_waits() && line->rest.waits()) (void)tell("takt: warning: " + line->rest_text() + "\n");
  }
  if (trace_) trace_->finish();
  running_ = false;
}

std::string CanPort::problem() const {
  std::string messages;
  for (const auto& line : lines_)
    for (std::size_t k = 0; k < line->plan.send.size(); ++k)
      if (line->leaving[k].waiting)
        messages += (messages.empty() ? "" : ", ") + std::string(line->plan.name) + "." + line->plan.send[k].info.name;
  std::string text =
      messages.empty() ? "" : "the last values of " + messages + " have not left: the bus did not take them";
  for (const std::string& problem : trace_ ? trace_->problems() : std::vector<std::string>{})
    text += (text.empty() ? "" : "; ") + problem;
  return text;
}

std::vector<IoFinding> CanPort::findings() const {
  std::vector<IoFinding> all;
  for (const auto& line : lines_)
    if (auto finding = line->saturation()) all.push_back(std::move(*finding));
  return all;
}

std::vector<Silence> CanPort::silences() const {
  std::vector<HeardChange> changes;
  for (std::size_t k = 0; k < event_count_.load(); ++k)
    changes.push_back({events_[k].line, events_[k].plan, events_[k].time, events_[k].kind != kind_back});
  return silences_of(changes, end_, [this](std::size_t line, std::size_t message) {
    const BusPlan& bus = lines_[line]->plan;
    return std::pair<std::string, std::string>{bus.name, bus.receive[message].info.name};
  });
}

void CanPort::note(const EventRecord& event) noexcept {
  const std::size_t count = event_count_.load(std::memory_order_relaxed);  // its only writer
  if (count >= max_events) {
    ++events_lost_;
    return;
  }
  events_[count] = event;
  event_count_.store(count + 1, std::memory_order_release);  // pairs with the acquire in say_events()
}

void CanPort::latch(SimTime now, WallTime release, std::span<double> plant_inputs) noexcept {
  for (auto& line : lines_) {
    if (!line->first_latch) line->first_latch = release, line->time_zero = release - WallDuration{now.ns()};
    line->take_early(plant_inputs);
    line->take_frames(release, plant_inputs);
    for (std::size_t k = 0; k < line->receiving.size(); ++k) {
      auto& state = line->receiving[k];
      const auto& plan = line->plan.receive[k];
      const WallDuration age = release - (state.seen ? state.stamp : *line->first_latch);
      const auto event = [&](EventKind kind) {
        return EventRecord{
            .time = now, .age = age, .line = line->number, .plan = static_cast<std::uint16_t>(k), .kind = kind};
      };
      const bool late = plan.timeout_ns > 0 && age > WallDuration{plan.timeout_ns};
      if (late && !state.timed_out) {
        ++state.timeouts;
        note(event(state.seen ? kind_timed_out : kind_never_seen));
      } else if (!late && state.timed_out) {
        note(event(kind_back));
      }
      state.timed_out = late;
      if (!late && state.seen) state.max_age = std::max(state.max_age, age);
      if (!late) continue;
      for (std::size_t s = 0; s < state.inputs.size(); ++s) plant_inputs[state.inputs[s]] = state.safe[s];
    }
  }
}

void CanPort::publish(SimTime now, WallTime due, const std::byte* plant_memory) noexcept {
  const WallTime wall = wall_now();
  for (auto& line : lines_) {
    line->send_due(now, wall, plant_memory);
    line->due_at.store(due, std::memory_order_relaxed);
    line->released.store(now, std::memory_order_relaxed);
  }
}

bool CanPort::sends_from(std::size_t subsystem) const noexcept {
  return std::any_of(lines_.begin(), lines_.end(), [&](const auto& line) {
    return std::find(line->senders.begin(), line->senders.end(), subsystem) != line->senders.end();
  });
}

std::vector<std::size_t> CanPort::sent() const {
  std::vector<std::size_t> all;
  for (const auto& line : lines_)
    for (const auto& state : line->sending)
      for (const std::size_t offset : state.offsets)
        if (offset != Line::npos) all.push_back(offset);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

void CanPort::forget_sent() noexcept {
  for (auto& line : lines_)
    for (auto& state : line->sending) state.handed_over = false;
}

void CanPort::publish_safe(SimTime now) noexcept {
  end_ = now;
  const WallTime wall = wall_now();
  for (auto& line : lines_) {
    for (std::size_t k = 0; k < line->sending.size(); ++k) {
      const auto& signals = line->plan.send[k].signals;
      if (line->sending[k].frames == 0 && !is_known_without_plant(line->plan.send[k])) continue;
      for (std::size_t s = 0; s < signals.size(); ++s) {
        if (signals[s].safe == signals[s].safe) line->sending[k].values[s] = signals[s].safe;  // not `absent`
      }
      line->hand_over(k, wall);
      line->count_values(k, now, true);
    }
  }
}

std::unique_ptr<SafeSender> CanPort::safe_sender() {
  std::vector<SafeFrames::BusSettings> buses;
  for (auto& line : lines_) {
    line->last_sent = std::make_shared<SharedArray<LastFrame>>(line->leaving.size());
    if (line->rest_waits()) line->rest_has_begun = std::make_shared<SharedArray<std::atomic<bool>>>(1);
    buses.push_back(
        {line->plan, line->channel, line->virtual_only, line->last_sent, line->send_protection, line->rest_has_begun});
  }
  return std::make_unique<SafeFrames>(std::move(buses));
}

void CanPort::pass_connections_to(int socket) {
  for (auto& line : lines_) line->supervisors.push_back(socket);
}

std::string CanPort::event_text(const EventRecord& record) const {
  const auto& line = *lines_[record.line];
  const auto& plan = line.plan.receive[record.plan];
  const std::string head = std::string(line.plan.name) + ": " + plan.info.name;
  switch (record.kind) {
    case kind_never_seen:
      return head + " not seen within " + seconds(record.age.seconds()) + " of the start, inputs at safe values";
    case kind_timed_out:
      return head + " timed out at " + seconds(record.time.seconds()) + ", inputs to safe values";
    default:
      return head + " is back at " + seconds(record.time.seconds());
  }
}

std::size_t CanPort::say_events(std::size_t from, std::uint16_t line) const {
  const std::size_t count = event_count_.load(std::memory_order_acquire);  // pairs with the release in note()
  for (; from < count; ++from) {
    if (events_[from].line != line) continue;
    // A progress line may stand there: wipe it. Where nobody reads, the report will have it.
    (void)tell((::isatty(STDERR_FILENO) == 1 ? "\r\033[Ktakt: " : "takt: ") + event_text(events_[from]) + "\n");
  }
  return from;
}

std::vector<IoEvent> CanPort::events() const {
  std::vector<IoEvent> all;
  for (const auto& line : lines_) all.push_back({{}, std::string(line->plan.name) + ": " + line->bus_text});
  for (const auto& line : lines_)
    for (const std::string& text : line->disturbed) all.push_back({{}, std::string(line->plan.name) + ": " + text});
  for (const IoEvent& event : step_events_)
    if (event.time == SimTime{}) all.push_back(event);
  const auto timed = static_cast<std::ptrdiff_t>(all.size());
  for (std::size_t k = 0; k < event_count_.load(); ++k) all.push_back({events_[k].time, event_text(events_[k])});
  if (!running_)
    for (const auto& line : lines_)
      for (const Line::Change& change : line->changes) all.push_back({change.time, line->change_text(change)});
  std::stable_sort(all.begin() + timed, all.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
  for (const IoEvent& event : step_events_)
    if (event.time > SimTime{}) all.push_back(event);
  for (const auto& line : lines_)
    if (line->receive_ring_full > 0)
      all.push_back({end_, std::string(line->plan.name) + ": " + std::to_string(line->receive_ring_full) +
                               " received frames were dropped: more than " +
                               std::to_string(line->received_frames_at_once) + " came between two releases"});
  for (const auto& line : lines_) {
    if (running_) break;  // the rest is that of other threads
    if (line->bus)
      for (const std::string& remark : line->bus->remarks())
        all.push_back({end_, std::string(line->plan.name) + ": " + remark});
    if (line->changes_lost > 0)
      all.push_back({end_, std::string(line->plan.name) + ": " + std::to_string(line->changes_lost) +
                               " more changes of its controller were not kept"});
    if (line->rest_waits()) {
      const SimTime since = line->rest_since(end_);
      const auto later = std::find_if(all.begin(), all.end(), [&](const IoEvent& event) { return event.time > since; });
      all.insert(later, {since, line->rest_text()});
    }
    for (const std::string& text : line->gateway_texts(lines_)) all.push_back({end_, text});
    if (const std::string text = line->kept_out_text(); !text.empty()) all.push_back({end_, text});
    for (const std::string& text : line->counted_texts()) all.push_back({end_, text});
    for (const std::string& text : line->sent_values_texts()) all.push_back({end_, text});
    for (const std::string& text : trace_events(*line)) all.push_back({end_, text});
  }
  if (events_lost_ > 0) all.push_back({all.back().time, std::to_string(events_lost_) + " more events were not kept"});
  return all;
}

std::unique_ptr<CanPort> make_can_port(const PlantDescription& plant, std::span<const BusPlan> buses,
                                       const IoOptions& options, const SequencePlan& sequences) {
  if (!options.paced || buses.empty()) return nullptr;
  auto port = std::make_unique<CanPort>(plant, buses, options.overrides, options.priority);
  if (options.rehearsal)
    port->rehearse();
  else
    port->follow(sequences), port->keep_traces_in(options.directory);
  return port;
}

}  // namespace takt::can
