#include "runtime/io/udp/udp_port.hpp"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "runtime/io/passed_connection.hpp"
#include "runtime/io/port_number.hpp"
#include "runtime/io/record/standard_streams.hpp"
#include "runtime/io/udp/safe_datagrams.hpp"
#include "runtime/io/udp/udp_line.hpp"
#include "runtime/plant/wall_clock.hpp"
#include "runtime/stats/format.hpp"
#include "runtime/units/nearest.hpp"

namespace takt::udp {
namespace {

/// Room for what may come between two releases, in at most 4 MB a frame.
std::size_t ring_rows(const PlantDescription& plant, const BusPlan& bus) {
  std::size_t values = 1;
  for (const FramePlan& frame : bus.receive) values = std::max(values, frame.fields.size());
  const auto steps = static_cast<std::size_t>(plant.macro_step_ns / std::max<std::int64_t>(bus.grid_ns, 1) + 2);
  const std::size_t wanted = std::clamp<std::size_t>(steps * 256, 256, 8192);
  return std::bit_floor(std::min(wanted, (std::size_t{4} << 20U) / (values * sizeof(double))));
}

Address peer_address(const std::string& key, const std::string& value) {
  const auto peer = read_address(value);
  if (peer && is_of_one(peer->ip)) return *peer;
  throw std::runtime_error("--bus " + key + "=" + value +
                           ": a peer is one address with its port, for example 127.0.0.1:5006");
}

std::uint64_t bus_fault_word(std::string_view fault) {
  if (fault == bus_fault_kinds) return word_of({.kind = Fault::Kind::drop});
  throw std::runtime_error("'" + std::string(fault) + "' is no fault of a UDP bus: " + bus_fault_kinds);
}

std::uint64_t frame_fault_word(std::string_view fault) { return word_of(read_fault(fault)); }

}  // namespace

UdpPort::UdpPort(const PlantDescription& plant, std::span<const BusPlan> buses, const IoOptions& options)
    : is_rehearsal_(options.rehearsal) {
  for (const BusPlan& bus : buses) {
    const int below = std::max(1, options.priority - 1);
    const WireSide::Settings settings{
        .priority = options.priority > 0 ? std::clamp(bus.priority, 1, below) : bus.priority,
        .rows = ring_rows(plant, bus)};
    lines_.push_back(std::make_unique<Line>(bus, static_cast<std::uint16_t>(lines_.size()), time_outs_, settings));
    Line& line = *lines_.back();
    for (std::size_t k = 0; k < bus.receive.size(); ++k)
      line.own.receives(bus.receive[k], line.wire.receiver().ring(k), plant);
    for (std::size_t k = 0; k < bus.send.size(); ++k) line.own.sends(bus.send[k], line.wire.to_send(k), plant);
    add_disturbed(line);
    if (is_rehearsal_)
      line.wire.rehearse();
    else
      line.wire.say_events = [this, &line] { say_time_outs(line, line.told); };
  }
  for (const auto& [key, value] : options.overrides) override_setting(key, value);
}

UdpPort::~UdpPort() {
  if (running_) stop();
}

void UdpPort::add_disturbed(Line& line) {
  const std::string prefix = std::string(line.plan.name) + ".";
  OutsideFault fault{.path = "",
                     .kinds = frame_fault_kinds,
                     .pack = [](const void*, std::string_view written) { return frame_fault_word(written); },
                     .text = [](const void*, std::uint64_t word) { return text(fault_of(word)); }};
  for (std::size_t k = 0; k < line.plan.send.size(); ++k) {
    fault.path = prefix + "send." + line.plan.send[k].name;
    disturbed_.push_back({fault, &line.wire.send_fault(k)});
  }
  for (std::size_t k = 0; k < line.plan.receive.size(); ++k) {
    fault.path = prefix + "receive." + line.plan.receive[k].name;
    disturbed_.push_back({fault, &line.wire.receiver().fault(k)});
  }
  fault = {.path = prefix + "bus",
           .kinds = bus_fault_kinds,
           .pack = [](const void*, std::string_view written) { return bus_fault_word(written); },
           .text = [](const void*, std::uint64_t) { return std::string(bus_fault_kinds); }};
  disturbed_.push_back({fault, &line.wire.bus_fault()});
}

std::vector<OutsideFault> UdpPort::outside_faults() const {
  std::vector<OutsideFault> faults;
  for (const Disturbed& disturbed : disturbed_) faults.push_back(disturbed.fault);
  return faults;
}

void UdpPort::disturb(std::uint32_t fault, std::uint64_t word) noexcept { disturbed_[fault].point->inject(word); }

void UdpPort::override_setting(const std::string& key, const std::string& value) {
  const auto dot = key.find('.');
  const std::string name = key.substr(0, dot), what = dot == std::string::npos ? "" : key.substr(dot + 1);
  const auto it = std::find_if(lines_.begin(), lines_.end(), [&](const auto& line) { return name == line->plan.name; });
  if (it == lines_.end()) throw std::runtime_error("--bus " + key + ": the rig has no bus of this name");
  Line& line = **it;
  if (what == "port")
    line.wire.endpoint.port = port_number(key, value);
  else if (what == "peer")
    line.wire.endpoint.peer = peer_address(key, value);
  else if (what == "interface")
    line.wire.endpoint.interface = value;
  else
    disturb_from_the_beginning(line, key, value);
}

void UdpPort::disturb_from_the_beginning(Line& line, const std::string& key, const std::string& value) {
  const auto found = std::find_if(disturbed_.begin(), disturbed_.end(),
                                  [&](const Disturbed& disturbed) { return disturbed.fault.path == key; });
  if (found == disturbed_.end()) {
    std::vector<std::string> paths;
    for (const Disturbed& disturbed : disturbed_) paths.push_back(disturbed.fault.path);
    const std::string hint = did_you_mean(key, paths);
    throw std::runtime_error("--bus " + key +
                             ": write NAME.port, NAME.peer or NAME.interface, or a fault: of a frame "
                             "NAME.send.FRAME or NAME.receive.FRAME, of the bus NAME.bus" +
                             (hint.empty() ? "" : "; " + hint));
  }
  try {
    found->point->inject(found->fault.pack(found->fault.of, value));
  } catch (const std::exception& error) {
    throw std::runtime_error("--bus " + key + "=" + value + ": " + error.what());
  }
  line.wire.disturbed.push_back("fault of " + key.substr(key.find('.') + 1) + ": " + value);
}

std::size_t UdpPort::count_in(std::span<BusCounts> counts) {
  const std::size_t used = std::min(counts.size(), lines_.size());
  for (std::size_t k = 0; k < used; ++k) {
    const std::string_view name = lines_[k]->plan.name;
    name.copy(counts[k].name.data(), counts[k].name.size() - 1);
    lines_[k]->wire.told_counts = &counts[k];
  }
  return used;
}

void UdpPort::start() {
  for (std::size_t k = 0; k < lines_.size(); ++k) {
    WireSide& wire = lines_[k]->wire;
    wire.open();
    if (is_rehearsal_) continue;
    for (const int supervisor : supervisors_)
      (void)pass_connection(supervisor, socket_mark | static_cast<std::uint32_t>(k), wire.socket()->descriptor());
    (void)tell("takt: bus " + std::string(lines_[k]->plan.name) + ": " + wire.text() + "\n");
  }
  running_ = true;
  for (auto& line : lines_) line->wire.start();
}

void UdpPort::stop() {
  for (auto& line : lines_) line->wire.stop();
  running_ = false;
}

void UdpPort::hear_meanwhile() noexcept {
  for (auto& line : lines_) line->own.hear_meanwhile();
}

void UdpPort::latch(SimTime now, WallTime release, std::span<double> plant_inputs) noexcept {
  for (auto& line : lines_) line->own.latch(now, release, plant_inputs);
}

void UdpPort::publish(SimTime now, WallTime due, const std::byte* plant_memory) noexcept {
  const WallTime wall = wall_now();
  for (auto& line : lines_) {
    line->own.publish(now, wall, plant_memory);
    line->wire.has_handed_over(due);
  }
}

void UdpPort::publish_safe(SimTime now) noexcept {
  end_ = now;
  const WallTime wall = wall_now();
  for (auto& line : lines_) line->own.publish_safe(now, wall);
}

bool UdpPort::sends_from(std::size_t subsystem) const noexcept {
  return std::any_of(lines_.begin(), lines_.end(), [&](const auto& line) {
    const auto& senders = line->own.senders();
    return std::find(senders.begin(), senders.end(), subsystem) != senders.end();
  });
}

std::vector<std::size_t> UdpPort::sent() const {
  std::vector<std::size_t> all;
  for (const auto& line : lines_) {
    const std::vector<std::size_t> own = line->own.sent_offsets();
    all.insert(all.end(), own.begin(), own.end());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::unique_ptr<SafeSender> UdpPort::safe_sender() {
  std::vector<SafeDatagrams::BusSettings> buses;
  for (const auto& line : lines_) buses.push_back({line->plan, line->wire.endpoint.peer, line->wire.sent_memory()});
  return std::make_unique<SafeDatagrams>(buses);
}

std::string UdpPort::time_out_text(const TimeOut& entry) const {
  const BusPlan& bus = lines_[entry.bus]->plan;
  const FramePlan& frame = bus.receive[entry.frame];
  const std::string head = std::string(bus.name) + ": " + frame.name, at = formatted("%.3f s", entry.time.seconds());
  const bool holds = frame.missing == Missing::hold;
  switch (entry.is) {
    case TimeOut::Is::never_seen:
      return head + " not seen within " + formatted("%.3f s", entry.age.seconds()) + " of the start, inputs " +
             (holds ? "keep their start values" : "at safe values");
    case TimeOut::Is::timed_out:
      return head + " timed out at " + at + ", inputs " + (holds ? "keep their last values" : "to safe values");
    default:
      return head + " is back at " + at;
  }
}

void UdpPort::say_time_outs(const Line& line, std::size_t& told) const {
  for (const std::size_t count = time_outs_.size(); told < count; ++told) {
    if (lines_[time_outs_[told].bus].get() != &line) continue;
    // A progress line may stand there: wipe it. Where nobody reads, the report will have it.
    (void)tell((::isatty(STDERR_FILENO) == 1 ? "\r\033[Ktakt: " : "takt: ") + time_out_text(time_outs_[told]) + "\n");
  }
}

std::unique_ptr<UdpPort> make_udp_port(const PlantDescription& plant, std::span<const BusPlan> buses,
                                       const IoOptions& options) {
  if (!options.paced || buses.empty()) return nullptr;
  return std::make_unique<UdpPort>(plant, buses, options);
}

}  // namespace takt::udp
