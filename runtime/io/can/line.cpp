#include "runtime/io/can/line.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "runtime/io/can/codec.hpp"
#include "runtime/io/can/rehearsed_bus.hpp"
#include "runtime/io/can/socketcan_bus.hpp"
#include "runtime/io/can/virtual_bus.hpp"
#include "runtime/io/passed_connection.hpp"
#include "runtime/plant/bus_token.hpp"
#include "runtime/plant/wall_clock.hpp"

namespace takt::can {

namespace {

/// All that a bus carries in a time, and in a step of the grid before and after it.
std::size_t frames_in(SimDuration time, SimDuration grid) {
  const auto per_step = static_cast<std::int64_t>(messages_per_grid(at_real_time(grid)));
  return static_cast<std::size_t>(std::clamp<std::int64_t>((time / grid + 2) * per_step, CanPort::ring_frames, 65'536));
}

/// @param written  the token, or "env:NAME", which keeps it out of files and process lists.  Throws BusError.
std::string token_text(const std::string& written, const std::string& channel) {
  std::string text = written, from;
  if (written.starts_with(bus_token_variable)) {
    const std::string name = written.substr(bus_token_variable.size());
    const char* const value = std::getenv(name.c_str());
    text = value == nullptr ? "" : value;
    from = " in the environment variable " + name;
  }
  if ((written.empty() && from.empty()) || is_bus_token(text)) return text;
  throw BusError("bus " + channel + ": " + (text.empty() ? "there is no token" : "the token is not right") + from +
                 "; it has " + std::string(bus_token_rule));
}

}  // namespace

CanPort::Line::Line(const BusPlan& bus_plan, std::uint8_t line_number, SimDuration longest_wait)
    : plan(bus_plan),
      channel(bus_plan.channel),
      port(bus_plan.port),
      token(bus_plan.token),
      priority(bus_plan.priority),
      virtual_only(bus_plan.virtual_only),
      trace_formats(bus_plan.trace),
      number(line_number),
      send_faults(sent_infos()),
      receive_faults(received_infos()),
      bus_faults(bus_plan.nodes.size()),
      gateway_faults(bus_plan.routes.size()),
      send_protection(std::make_shared<SendProtection>(bus_plan)),
      receive_protection(bus_plan.receive),
      was_stopped(bus_plan.nodes.size()),
      rest(bus_plan),
      received_frames_at_once(frames_in(longest_wait, SimDuration{bus_plan.grid_ns})),
      received(received_frames_at_once),
      to_send(ring_frames),
      left(bus_plan.send.size()) {}

void CanPort::Line::resolve(const PlantDescription& plant) {
  std::size_t widest = 1;
  for (const auto& message : plan.receive) {
    Receiving state;
    for (const auto& signal : message.signals) {
      const auto it = std::find_if(plant.plant_inputs.begin(), plant.plant_inputs.end(),
                                   [&](const auto& input) { return std::strcmp(input.path, signal.path) == 0; });
      if (it == plant.plant_inputs.end())
        throw std::runtime_error(std::string("the plant has no input ") + signal.path);
      state.inputs.push_back(static_cast<std::size_t>(it - plant.plant_inputs.begin()));
      state.safe.push_back(it->safe);
    }
    state.early.assign(message.signals.size(), absent);
    state.early_stamps.resize(message.signals.size());
    widest = std::max(widest, message.signals.size());
    receiving.push_back(std::move(state));
  }
  for (const auto& message : plan.send) {
    Sending state;
    for (const auto& signal : message.signals) {
      state.values.push_back(signal.constant);
      state.counted.push_back(counted_values(message.info, signal));
      state.windows.emplace_back(1);
      if (signal.path == nullptr) {
        state.offsets.push_back(npos);
        continue;
      }
      const auto it = std::find_if(plant.table.begin(), plant.table.end(),
                                   [&](const auto& entry) { return std::strcmp(entry.path, signal.path) == 0; });
      if (it == plant.table.end()) throw std::runtime_error(std::string("the plant has no signal ") + signal.path);
      state.offsets.push_back(it->offset);
      if (it->subsystem >= plant.subsystems.size()) continue;
      state.windows.back() = SimDuration{plant.subsystems[it->subsystem].period_ns};
      senders.push_back(it->subsystem);
    }
    sending.push_back(std::move(state));
  }
  scratch.resize(widest);
  leaving.resize(plan.send.size() + plan.rest.size());
  too_short.resize(plan.receive.size());
  too_long.resize(plan.receive.size());
}

std::vector<const MessageInfo*> CanPort::Line::sent_infos() const {
  std::vector<const MessageInfo*> infos;
  for (const auto& message : plan.send) infos.push_back(&message.info);
  for (const auto& message : plan.rest) infos.push_back(&message.info);
  return infos;
}

std::vector<const MessageInfo*> CanPort::Line::received_infos() const {
  std::vector<const MessageInfo*> infos;
  for (const auto& message : plan.receive) infos.push_back(&message.info);
  return infos;
}

/// What is not there is not replaced by a bus that nobody hears: the virtual one is for those who ask for it.
std::unique_ptr<SocketCanBus> CanPort::Line::open_interface() const {
  try {
    return std::make_unique<SocketCanBus>(channel);
  } catch (const BusError& error) {
    if (SocketCanBus::exists(channel)) throw;
    throw BusError(std::string(error.what()) + "; or take the virtual bus on 127.0.0.1: virtual = true in [bus." +
                   plan.name + "] of the rig, --bus " + plan.name + ".virtual=yes");
  }
}

void CanPort::Line::open() {
  if (rehearsal) {
    bus = std::make_unique<RehearsedBus>();
  } else if (!virtual_only) {
    auto can = open_interface();
    can->claim();
    can->join(plan.link);
    const bool is_about_all = trace || plan.rest_start.kind == RestStart::Kind::heard || !routes_from.empty();
    if (!is_about_all) can->only(received_infos());
    bus = std::move(can);
  } else {
    auto clients = std::make_unique<VirtualBus>(
        VirtualBusSettings{channel, port, token_text(token, channel), WallDuration{plan.grid_ns}});
    // The first is asked again where it has no room. A spare without room does not look: it guards nobody.
    if (!supervisors.empty())
      clients->pass_on([to = supervisors, from = std::uint32_t{number}](int socket, bool speaks_slcan) {
        const std::uint32_t bus = from | (speaks_slcan ? speaks_slcan_mark : 0U);
        if (!pass_connection(to.front(), bus, socket)) return false;
        for (std::size_t spare = 1; spare < to.size(); ++spare) (void)pass_connection(to[spare], bus, socket);
        return true;
      });
    bus = std::move(clients);
  }
  changes.reserve(most_changes);
  check_carried();
  bus_text = bus->text();
  // Touch every page of the rings now, so that the real-time thread meets no page fault.
  for (auto* ring : {&received, &to_send}) {
    while (ring->push(Frame{})) {
    }
    ring->reset();
  }
}

/// What the bus can never take would fail at every try. Throws BusError.
void CanPort::Line::check_carried() const {
  std::string names;
  for (const MessageInfo* info : sent_infos())
    if (!bus->carries(make_frame(*info))) names += (names.empty() ? "" : ", ") + std::string(info->name);
  Frame of_fd;
  of_fd.fd = true;
  for (const GatewayRoute* route : routes_to)
    for (const ForwardedIds& ids : route->plan().ids)
      if (ids.fd && !bus->carries(of_fd))
        names += (names.empty() ? "" : ", ") + std::string(ids.text) + " (gateway " + route->plan().name + ")";
  if (names.empty()) return;
  throw BusError("bus " + channel + ": " + bus->text() + " carries classic frames only, and " + names +
                 " of the plant are CAN FD: switch the interface to CAN FD (ip link set " + channel +
                 " type can fd on dbitrate 2000000; a virtual one: mtu 72), or use the virtual bus (--bus " +
                 plan.name + ".virtual=true)");
}

/// A release sees what has arrived by then, however late it is computed.
void CanPort::Line::take_frames(WallTime release, std::span<double> inputs) noexcept {
  const WallTime wall = wall_now();
  Frame frame;
  for (std::size_t taken = 0; taken < received_frames_at_once && received.read_available() > 0; ++taken) {
    if (received.front().stamp > release || !received.pop(frame)) break;
    auto& state = receiving[frame.plan];
    if (!plan.receive[frame.plan].decode(frame, scratch.data())) continue;
    state.seen = true;
    state.stamp = frame.stamp;
    if (state.frames++ == 0) state.first_counted = frame.stamp;
    state.newest_counted = frame.stamp;
    if (frame.stamp < time_zero)
      ++state.before_start;
    else
      receive_to_window.record(wall - frame.stamp);
    take_values(frame.plan, scratch.data(), inputs);
  }
}

/// @param values  DBC units; those that are not there, or no numbers, leave their input as it is
void CanPort::Line::take_values(std::size_t index, const double* values, std::span<double> inputs) noexcept {
  auto& state = receiving[index];
  const auto& signals = plan.receive[index].signals;
  for (std::size_t k = 0; k < signals.size(); ++k) {
    const double value = values[k] * signals[k].scale + signals[k].offset;
    if (value - value == 0.0) {  // finite
      inputs[state.inputs[k]] = value;
      if (!signals[k].again && (values[k] < signals[k].minimum || values[k] > signals[k].maximum)) ++state.out_of_range;
    } else if (!is_absent(values[k]) && !signals[k].again) {
      ++state.not_numbers;
    }
  }
}

/// What steps before time 0 have taken from the ring is as new to the plant as what still stands there.
void CanPort::Line::take_early(std::span<double> inputs) noexcept {
  if (!has_early) return;
  has_early = false;
  for (std::size_t k = 0; k < receiving.size(); ++k)
    if (receiving[k].seen) take_values(k, receiving[k].early.data(), inputs);
}

void CanPort::Line::send_due(SimTime now, WallTime wall, const std::byte* memory) noexcept {
  for (std::size_t k = 0; k < sending.size(); ++k) {
    auto& state = sending[k];
    const auto& message = plan.send[k];
    const SimDuration period{message.period_ns};
    // A longer window may already have been computed, and be of a time to come: its value is taken at its end.
    for (std::size_t s = 0; s < state.offsets.size(); ++s) {
      if (state.offsets[s] == npos || now.since_origin() % state.windows[s] != SimDuration{}) continue;
      double value = 0.0;
      std::memcpy(&value, memory + state.offsets[s], sizeof value);
      state.values[s] = value * message.signals[s].scale + message.signals[s].offset;
    }
    if (message.period_ns > 0 && now >= state.due) {  // the grid is kept: windows that were missed are not sent later
      state.due += period * ((now - state.due) / period + 1);
      state.owed = true;
    }
    if (now < state.free || (!state.owed && !(message.on_change && has_changed(k)))) continue;
    hand_over(k, wall);
    count_values(k, now, false);
    state.owed = false;
    state.free = now + SimDuration{message.spacing_ns};
  }
}

bool CanPort::Line::has_changed(std::size_t index) const noexcept {
  const auto& state = sending[index];
  Frame frame;
  plan.send[index].encode(state.values.data(), frame);
  return !state.handed_over || frame.data != state.last.data;
}

void CanPort::Line::hand_over(std::size_t index, WallTime wall) noexcept {
  auto& state = sending[index];
  plan.send[index].encode(state.values.data(), state.last);
  state.last.plan = static_cast<std::uint16_t>(index);
  state.last.bus = number;
  state.last.stamp = wall;
  state.handed_over = true;
  if (to_send.push(state.last)) {
    ++state.frames;
  } else {
    ++send_ring_full;
  }
}

}  // namespace takt::can
