// The I/O thread of one bus.

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "runtime/io/can/dlc.hpp"
#include "runtime/io/can/line.hpp"
#include "runtime/io/record/standard_streams.hpp"
#include "runtime/io/step_grid.hpp"
#include "runtime/plant/wall_clock.hpp"
#include "runtime/stats/format.hpp"

namespace takt::can {
namespace {

constexpr WallDuration longest_leave{1'000'000'000};  // at the end

}  // namespace

void CanPort::Line::start_thread() {
  if (!thread.start(this)) throw std::runtime_error("bus " + channel + ": cannot start the I/O thread");
}

void CanPort::Line::run() noexcept {
  real_time = IoThread::take_priority(priority);
  const WallDuration grid{plan.grid_ns};
  WallTime next = wall_now();
  opened = next;
  if (rehearsal || plan.rest_start.kind == RestStart::Kind::at_once) rest.begin(next);  // of a rehearsal all its work
  while (!thread.is_stopping()) {
    cycle();
    next = after(next);
    const WallTime now = wall_now();
    if (next < now) next = after(now);  // also after a long stall some rest
    IoThread::sleep_until(next);
  }
  cycle();  // what the plant handed over last
  const WallTime end = wall_now() + longest_leave;
  while (is_waiting() && wall_now() < end) {  // an interface without room
    IoThread::sleep_until(wall_now() + grid);
    cycle();
  }
}

/// Of the plant's own messages.
bool CanPort::Line::is_waiting() const noexcept {
  const auto end = leaving.begin() + static_cast<std::ptrdiff_t>(plan.send.size());
  return std::any_of(leaving.begin(), end, [](const Leaving& message) { return message.waiting; });
}

WallTime CanPort::Line::after(WallTime time) const noexcept {
  return next_step(time, WallDuration{plan.grid_ns}, due_at.load(std::memory_order_relaxed));
}

void CanPort::Line::cycle() noexcept {
  try {
    send_waiting();
    bus->wait(WallTime{});
    receive_all();
    told = say_events(told);
  } catch (const std::exception&) {
    ++bus_errors;  // an interface that went down; it may come back
  }
  note_changes();
  tell_counts();
}

void CanPort::Line::tell_counts() noexcept {
  if (told_counts == nullptr) return;
  using State = BusCounts::State;
  static constexpr State states[] = {State::active,  State::warning, State::passive, State::off,
                                     State::unknown, State::unknown, State::unknown, State::down};
  constexpr auto any = std::memory_order_relaxed;
  told_counts->received.store(received_frames, any);
  told_counts->sent.store(left_frames, any);
  told_counts->failed.store(failed_frames, any);
  told_counts->state.store(states[static_cast<std::size_t>(bus->state())], any);
}

void CanPort::Line::note_changes() {
  for (LinkChange what; bus->take_change(what);) {
    const Change change{released.load(std::memory_order_relaxed), what};
    if (changes.size() == most_changes) {
      ++changes_lost;
      continue;
    }
    changes.push_back(change);
    (void)tell("takt: " + change_text(change) + "\n");
  }
}

std::string CanPort::Line::change_text(const Change& change) const {
  const std::string head = std::string(plan.name) + ": ", at = formatted(" at %.3f s", change.time.seconds());
  if (change.what.restarted) return head + "restarted after bus-off" + at;
  if (change.what.state == LinkState::bus_off) return head + "bus-off" + at + ": nothing leaves or arrives";
  if (change.what.state == LinkState::down) return head + "the interface is down" + at;
  return head + "the controller is " + text(change.what.state) + at;
}

/// Of a cyclic message only the newest frame leaves; frames sent on change leave all, in their order. What an interface
/// has no room for is tried again, until something newer takes its place.
void CanPort::Line::send_waiting() {
  Frame frame;
  const WallTime now = wall_now();
  restart_nodes(now);
  while (bus_faults.babbles(now, frame)) {
    if (!bus->send(frame)) continue;
    bus_faults.babble_left();
    if (trace) trace->push_sent(frame, now);
    offer_to_gateways(frame, now);
  }
  while (send_faults.take_delayed(now, frame)) make_ready(frame);
  for (std::size_t taken = 0; taken < ring_frames && to_send.pop(frame); ++taken) leave(frame, now);
  for (std::size_t k = 0; k < plan.send.size(); ++k) (void)send_one(k);
  for (std::size_t k = 0; k < rest.size(); ++k) {
    if (!rest.take_due(k, now)) continue;
    frame = rest.frame(k);
    frame.plan = static_cast<std::uint16_t>(plan.send.size() + k);
    frame.stamp = now;
    leave(frame, now);
  }
  send_rest();
  bring_forwarded(now);
}

std::uint16_t CanPort::Line::node_of_sent(std::size_t index) const {
  return index < plan.send.size() ? plan.send[index].node : rest.plan(index - plan.send.size()).node;
}

/// A node that is there again sends as it does at its start. Before anything leaves: what the plant has handed over at
/// the very release that cleared its node is new already.
void CanPort::Line::restart_nodes(WallTime now) {
  for (std::uint16_t node = 0; node < was_stopped.size(); ++node) {
    const bool is_stopped = bus_faults.is_stopped(node);
    if (was_stopped[node] && !is_stopped) {
      rest.start_node(node, now);
      for (std::size_t k = 0; k < leaving.size(); ++k)
        if (node_of_sent(k) == node) send_protection->restart(k), leaving[k].last.reset();
    }
    was_stopped[node] = is_stopped;
  }
}

/// A frame meets what goes wrong, and what is left of it waits to be sent. One that a fault meets has its counter
/// already, so that a receiver finds it lost, doubled or late; any other gets it at the very moment when it leaves, so
/// that one in whose place a newer leaves makes no gap.
void CanPort::Line::leave(Frame frame, WallTime now) {
  if (bus_faults.loses(node_of_sent(frame.plan))) return;
  send_faults.alter(frame.plan, frame);
  const std::uint64_t met = send_faults.met(frame.plan);
  auto outcome = send_faults.meet(frame.plan, send_protection->guarded(frame.plan, frame), now);
  if (outcome.counter_stands)
    outcome.frames[0] = send_protection->repeated(frame.plan, frame);
  else if (send_faults.met(frame.plan) == met && outcome.count == 1)
    outcome.frames[0] = frame;
  else
    send_protection->passed(frame.plan, frame);
  for (std::size_t k = 0; k < outcome.count; ++k) {
    make_ready(outcome.frames[k]);
    if (k + 1 < outcome.count) (void)send_one(frame.plan);  // both of a pair leave
  }
}

void CanPort::Line::make_ready(const Frame& frame) {
  auto& state = leaving[frame.plan];
  if (state.waiting) ++state.superseded;
  state.newest = frame;
  state.waiting = true, state.tried = false;
  if (frame.plan < plan.send.size() && plan.send[frame.plan].on_change) (void)send_one(frame.plan);
}

/// Where the bus has no room, the turn is theirs who have waited; what the plant computes goes before.
void CanPort::Line::send_rest() {
  for (std::size_t n = 0; n < rest.size(); ++n) {
    const std::size_t k = (next_rest + n) % rest.size();
    if (send_one(plan.send.size() + k)) continue;
    next_rest = k;
    return;
  }
}

void CanPort::Line::begin_rest(WallTime now) {
  rest.begin(now);
  if (rest_has_begun) (*rest_has_begun)[0].store(true, std::memory_order_relaxed);  // it stands for itself alone
  (void)tell("takt: " + rest_text() + "\n");
}

/// What became of a rest bus that waits.
std::string CanPort::Line::rest_text() const {
  const std::string head = plan.name + std::string(": the rest bus "), what = plan.rest_start.text;
  if (!rest.began()) return head + "never began: it waited for " + what;
  return head + "began " + formatted("%.3f s", (*rest.began() - opened).seconds()) + " after the bus, with " + what;
}

SimTime CanPort::Line::rest_since(SimTime end) const {
  if (!rest.began()) return end;
  const WallTime zero = first_latch.value_or(*rest.began());
  return SimTime{std::max<std::int64_t>((*rest.began() - zero).ns(), 0)};
}

bool CanPort::Line::send_one(std::size_t index) {
  auto& state = leaving[index];
  if (!state.waiting) return true;
  if (bus_faults.loses(node_of_sent(index))) {  // it was delayed, or there was no room, when its node stopped
    state.waiting = false;
    return true;
  }
  if (bus_faults.cuts()) {
    send_protection->passed(index, state.newest);
    state.waiting = false;
    return true;
  }
  const Frame frame = send_protection->guarded(index, state.newest);
  if (!bus->send(frame)) {
    if (!state.tried) ++state.failed, ++failed_frames;
    state.tried = true;
    state.waiting = bus->carries(state.newest);
    return false;
  }
  send_protection->passed(index, state.newest);
  state.waiting = false;
  const WallTime now = wall_now();
  if (state.frames++ == 0) state.first_left = now;
  ++left_frames;
  state.newest_left = now;
  if (trace) trace->push_sent(frame, now);
  offer_to_gateways(frame, now);
  if (last_sent) (*last_sent)[index].store(frame.data);
  if (index < plan.send.size()) {
    left[index].store(state.newest.stamp, std::memory_order_release);
    window_to_send.record(now - state.newest.stamp);
  }
  note_jitter(index, now);
  return true;
}

void CanPort::Line::note_jitter(std::size_t index, WallTime now) {
  const bool is_rest = index >= plan.send.size();
  if (!is_rest && (plan.send[index].period_ns == 0 || plan.send[index].on_change)) return;
  const WallDuration period = is_rest ? WallDuration{rest.plan(index - plan.send.size()).info.period_ns}
                                      : at_real_time(SimDuration{plan.send[index].period_ns});
  auto& last = leaving[index].last;
  if (last) (is_rest ? rest_jitter : jitter).record(std::max(now - *last - period, period - (now - *last)));
  last = now;
}

/// Index of the message that it is; their number: of none.
std::size_t CanPort::Line::received_as(const Frame& frame) const {
  std::size_t index = 0;
  while (index < plan.receive.size() && !is_heard_as(frame, plan.receive[index].info)) ++index;
  return index;
}

void CanPort::Line::receive_all() {
  Frame frame;
  const WallTime now = wall_now();
  while (receive_faults.take_delayed(now, frame)) {
    const std::size_t index = received_as(frame);
    if (bus_faults.cuts() || (index < plan.receive.size() && bus_faults.loses(plan.receive[index].node))) continue;
    frame.stamp = now;  // no release has seen it yet
    pass_to_plant(frame);
  }
  std::size_t taken = 0;
  for (; taken < 4 * ring_frames && bus->receive(frame); ++taken) {
    if (bus_faults.cuts()) continue;
    ++received_frames;
    if (trace) trace->push_received(frame);
    if (hear(frame, now)) offer_to_gateways(frame, frame.stamp);
  }
  if (trace && taken < 4 * ring_frames) trace->settle(now - bus->stamps_behind());
}

/// A frame that is on the bus, of somebody else or of a gateway.
/// @return false: its node is stopped, and it is not there
bool CanPort::Line::hear(const Frame& frame, WallTime now) {
  const std::size_t index = received_as(frame);
  if (index == plan.receive.size()) {
    ++not_mapped;
    if (rest.is_called_by(frame)) begin_rest(now);
    return true;
  }
  if (bus_faults.loses(plan.receive[index].node)) return false;
  auto outcome = receive_faults.meet(index, frame, now);
  if (outcome.counter_stands) outcome.frames[0] = receive_protection.repeated(index, frame);
  for (std::size_t k = 0; k < outcome.count; ++k) pass_to_plant(outcome.frames[k]);
  return true;
}

/// What a fault has made of it may be another message, or none.
void CanPort::Line::pass_to_plant(Frame frame) {
  if (rest.is_called_by(frame)) begin_rest(wall_now());
  const std::size_t index = received_as(frame);
  if (index == plan.receive.size()) {
    ++not_mapped;
    return;
  }
  if (frame.len < plan.receive[index].info.length) {
    ++too_short[index];
    return;
  }
  // A CAN FD frame is padded to a length that exists.
  const auto length = plan.receive[index].info.length;
  too_long[index] += frame.len > (frame.fd ? fd_length(length) : length) ? 1U : 0U;
  if (!receive_protection.takes(index, frame)) return;
  receive_faults.alter(index, frame);
  frame.plan = static_cast<std::uint16_t>(index);
  frame.bus = number;
  if (rest.is_allowed_by(frame)) begin_rest(wall_now());
  if (!received.push(frame)) ++receive_ring_full;
}

}  // namespace takt::can
