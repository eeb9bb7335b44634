#include "runtime/io/can/can_port.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "runtime/io/can/line.hpp"

namespace takt::can {
namespace {

enum EventKind : std::uint8_t { kind_never_seen, kind_timed_out, kind_back };

std::string seconds(std::int64_t ns) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.3f s", static_cast<double>(ns) * 1e-9);
  return text.data();
}

bool flag(const std::string& key, const std::string& value) {
  for (const auto& [text, meaning] : {std::pair{"true", true}, {"1", true}, {"false", false}, {"0", false}})
    if (value == text) return meaning;
  throw std::runtime_error("--bus " + key + "=" + value + ": write true or false");
}

}  // namespace

CanPort::CanPort(const PlantDescription& plant, std::span<const BusPlan> buses,
                 const std::vector<std::pair<std::string, std::string>>& overrides, int priority) {
  for (const auto& bus : buses) {
    lines_.push_back(std::make_unique<Line>(bus, static_cast<std::uint8_t>(lines_.size())));
    lines_.back()->resolve(plant);
    if (priority > 0) lines_.back()->priority = std::clamp(bus.priority, 1, std::max(1, priority - 1));
  }
  for (const auto& [key, value] : overrides) {
    const auto dot = key.find('.');
    const auto it =
        std::find_if(lines_.begin(), lines_.end(), [&](const auto& l) { return key.substr(0, dot) == l->plan.name; });
    const std::string what = dot == std::string::npos ? "" : key.substr(dot + 1);
    if (it == lines_.end()) throw std::runtime_error("--bus " + key + ": the rig has no bus of this name");
    auto& line = **it;
    unsigned port = 0;
    if (what == "channel") {
      line.channel = value;
    } else if (what == "port") {
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), port);
      if (error != std::errc{} || end != value.data() + value.size() || port > 65535) {
        throw std::runtime_error("--bus " + key + "=" + value + ": a port is a number from 0 to 65535");
      }
      line.port = static_cast<std::uint16_t>(port);
    } else if (what == "virtual") {
      line.virtual_only = flag(key, value);
    } else {
      throw std::runtime_error("--bus " + key + ": write NAME.channel, NAME.port or NAME.virtual");
    }
  }
  events_.resize(max_events);
  for (auto& line : lines_) line->tell = [this, number = line->number](std::size_t from) { return tell(from, number); };
}

CanPort::~CanPort() {
  if (running_) stop();
}

void CanPort::start() {
  for (auto& line : lines_) line->open();
  for (auto& line : lines_) {
    std::fprintf(stderr, "takt: bus %s: %s\n", line->plan.name, line->bus_text.c_str());
    line->start_thread();
  }
  running_ = true;
}

void CanPort::stop() {
  for (auto& line : lines_) line->stop_thread();
  running_ = false;
}

void CanPort::note(std::int64_t now_ns, const Line& line, std::uint16_t plan, std::uint8_t kind,
                   std::int64_t age_ns) noexcept {
  const std::size_t count = event_count_.load(std::memory_order_relaxed);  // its only writer
  if (count >= max_events) {
    ++events_lost_;
    return;
  }
  events_[count] = {now_ns, age_ns, line.number, plan, kind};
  event_count_.store(count + 1, std::memory_order_release);  // pairs with the acquire in tell()
}

void CanPort::latch(std::int64_t now_ns, std::span<double> plant_inputs) noexcept {
  const std::int64_t wall_ns = monotonic_ns();
  for (auto& line : lines_) {
    if (line->first_latch_ns == 0) line->first_latch_ns = wall_ns;
    line->take_frames(wall_ns, plant_inputs);
    for (std::size_t k = 0; k < line->receiving.size(); ++k) {
      auto& state = line->receiving[k];
      const auto& plan = line->plan.receive[k];
      const std::int64_t age = wall_ns - (state.seen ? state.stamp_ns : line->first_latch_ns);
      const bool late = plan.timeout_ns > 0 && age > plan.timeout_ns;
      if (late && !state.timed_out) {
        ++state.timeouts;
        note(now_ns, *line, static_cast<std::uint16_t>(k), state.seen ? kind_timed_out : kind_never_seen, age);
      } else if (!late && state.timed_out) {
        note(now_ns, *line, static_cast<std::uint16_t>(k), kind_back, age);
      }
      state.timed_out = late;
      if (!late && state.seen) state.max_age_ns = std::max(state.max_age_ns, age);
      if (!late) continue;
      for (std::size_t s = 0; s < state.inputs.size(); ++s) plant_inputs[state.inputs[s]] = state.safe[s];
    }
  }
}

void CanPort::publish(std::int64_t now_ns, const std::byte* plant_memory) noexcept {
  const std::int64_t wall_ns = monotonic_ns();
  for (auto& line : lines_) line->send_due(now_ns, wall_ns, plant_memory);
}

void CanPort::publish_safe(std::int64_t) noexcept {
  const std::int64_t wall_ns = monotonic_ns();
  for (auto& line : lines_) {
    for (std::size_t k = 0; k < line->sending.size(); ++k) {
      const auto& signals = line->plan.send[k].signals;
      for (std::size_t s = 0; s < signals.size(); ++s) {
        if (signals[s].safe == signals[s].safe) line->sending[k].values[s] = signals[s].safe;  // not `absent`
      }
      line->hand_over(k, wall_ns);
    }
  }
}

std::string CanPort::event_text(const EventRecord& record) const {
  const auto& line = *lines_[record.line];
  const auto& plan = line.plan.receive[record.plan];
  const std::string head = std::string(line.plan.name) + ": " + plan.info.name;
  switch (record.kind) {
    case kind_never_seen:
      return head + " not seen within " + seconds(record.age_ns) + " of the start, inputs at safe values";
    case kind_timed_out:
      return head + " timed out at " + seconds(record.time_ns) + ", inputs to safe values";
    default:
      return head + " is back at " + seconds(record.time_ns);
  }
}

std::size_t CanPort::tell(std::size_t from, std::uint16_t line) const {
  const std::size_t count = event_count_.load(std::memory_order_acquire);  // pairs with the release in note()
  for (; from < count; ++from) {
    if (events_[from].line != line) continue;
    pollfd terminal{STDERR_FILENO, POLLOUT, 0};
    if (::poll(&terminal, 1, 0) != 1) continue;  // nobody reads: the report will have it
    // A progress line may stand there: wipe it.
    const std::string text =
        (::isatty(STDERR_FILENO) == 1 ? "\r\033[Ktakt: " : "takt: ") + event_text(events_[from]) + "\n";
    (void)!::write(STDERR_FILENO, text.data(), text.size());
  }
  return from;
}

std::vector<IoEvent> CanPort::events() const {
  std::vector<IoEvent> all;
  for (const auto& line : lines_) all.push_back({0, std::string(line->plan.name) + ": " + line->bus_text});
  for (std::size_t k = 0; k < event_count_.load(); ++k) all.push_back({events_[k].time_ns, event_text(events_[k])});
  if (events_lost_ > 0)
    all.push_back({all.back().time_ns, std::to_string(events_lost_) + " more events were not kept"});
  return all;
}

std::unique_ptr<IoPort> make_can_port(const PlantDescription& plant, std::span<const BusPlan> buses,
                                      const IoOptions& options) {
  if (!options.paced || buses.empty()) return nullptr;
  return std::make_unique<CanPort>(plant, buses, options.overrides, options.priority);
}

}  // namespace takt::can
