// The I/O thread of one bus.

#include <signal.h>
#include <time.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <string_view>

#include "runtime/io/can/line.hpp"
#include "runtime/plant/wall_clock.hpp"

namespace takt::can {
namespace {

constexpr WallDuration longest_leave{1'000'000'000};  // at the end

void sleep_until(WallTime time) {
  const timespec until = to_timespec(time);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
  }
}

}  // namespace

void CanPort::Line::start_thread() {
  stopping.store(false);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, std::size_t{256} * 1024);  // memory is locked: keep it small
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // signals belong to the main thread
  const auto body = [](void* self) -> void* {
    static_cast<Line*>(self)->run();
    return nullptr;
  };
  const int error = pthread_create(&thread, &attributes, body, this);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  if (error != 0) throw std::runtime_error("bus " + channel + ": cannot start the I/O thread");
  started = true;
}

void CanPort::Line::stop_thread() {
  if (!started) return;
  stopping.store(true);
  pthread_join(thread, nullptr);
  started = false;
}

void CanPort::Line::run() noexcept {
  sched_param parameters{};
  parameters.sched_priority = priority;
  real_time = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters) == 0;
  const WallDuration grid{plan.grid_ns};
  WallTime next = wall_now();
  while (!stopping.load()) {
    cycle();
    next = after(next);
    const WallTime now = wall_now();
    if (next < now) next = after(now);  // also after a long stall some rest
    sleep_until(next);
  }
  cycle();  // what the plant handed over last
  const WallTime end = wall_now() + longest_leave;
  while (is_waiting() && wall_now() < end) {  // an interface without room
    sleep_until(wall_now() + grid);
    cycle();
  }
}

bool CanPort::Line::is_waiting() const noexcept {
  return std::any_of(leaving.begin(), leaving.end(), [](const Leaving& message) { return message.waiting; });
}

/// The grid lies so that it comes soon after what the plant hands over: with a fifth of it to spare, as a plant that is
/// later than that waits for all of it.
/// @return half a step of the grid later at least, one and a half at most
WallTime CanPort::Line::after(WallTime time) const noexcept {
  const WallDuration grid{plan.grid_ns};
  const WallTime next = time + grid, handed_over = due_at.load(std::memory_order_relaxed);
  if (handed_over == WallTime{}) return next;
  const WallDuration off = (next - (handed_over + grid / 5)) % grid, back = off < WallDuration{} ? off + grid : off;
  return next - (back > grid / 2 ? back - grid : back);
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
}

/// Of a cyclic message only the newest frame leaves; frames sent on change leave all, in their order. What an interface
/// has no room for is tried again, until something newer takes its place.
void CanPort::Line::send_waiting() {
  Frame frame;
  const WallTime now = wall_now();
  while (send_faults.take_delayed(now, frame)) make_ready(frame);
  for (std::size_t taken = 0; taken < ring_frames && to_send.pop(frame); ++taken) {
    const auto outcome = send_faults.meet(frame.plan, frame, now);
    for (std::size_t k = 0; k < outcome.count; ++k) {
      make_ready(outcome.frames[k]);
      if (k + 1 < outcome.count) send_one(frame.plan);  // both of a pair leave
    }
  }
  for (std::size_t k = 0; k < leaving.size(); ++k) {
    if (leaving[k].waiting) send_one(k);
  }
}

void CanPort::Line::make_ready(const Frame& frame) {
  auto& state = leaving[frame.plan];
  if (state.waiting) ++state.superseded;
  state.newest = frame;
  state.waiting = true, state.tried = false;
  if (plan.send[frame.plan].on_change) send_one(frame.plan);
}

void CanPort::Line::send_one(std::size_t index) {
  auto& state = leaving[index];
  if (!state.waiting) return;
  if (!bus->send(state.newest)) {
    if (!state.tried) ++state.failed;
    state.tried = true;
    state.waiting = bus->carries(state.newest);
    return;
  }
  state.waiting = false;
  if (last_sent) (*last_sent)[index].store(state.newest.data);
  left[index].store(state.newest.stamp, std::memory_order_release);
  const WallTime now = wall_now();
  if (trace) trace->push_sent(state.newest, now);
  ++state.frames;
  window_to_send.record(now - state.newest.stamp);
  const auto& message = plan.send[index];
  if (message.period_ns > 0 && !message.on_change) {
    const WallDuration period = at_real_time(SimDuration{message.period_ns});
    if (state.last) jitter.record(std::max(now - *state.last - period, period - (now - *state.last)));
    state.last = now;
  }
}

/// Index of the message that it is; their number: of none.
std::size_t CanPort::Line::received_as(const Frame& frame) const {
  std::size_t index = 0;
  while (index < plan.receive.size() && !has_id(frame, plan.receive[index].info)) ++index;
  return index;
}

void CanPort::Line::receive_all() {
  Frame frame;
  const WallTime now = wall_now();
  while (receive_faults.take_delayed(now, frame)) {
    frame.stamp = now;  // no release has seen it yet
    pass_to_plant(frame);
  }
  std::size_t taken = 0;
  for (; taken < 4 * ring_frames && bus->receive(frame); ++taken) {
    ++received_frames;
    if (trace) trace->push_received(frame);
    const std::size_t index = received_as(frame);
    if (index == plan.receive.size()) {
      ++not_mapped;
      continue;
    }
    const auto outcome = receive_faults.meet(index, frame, now);
    for (std::size_t k = 0; k < outcome.count; ++k) pass_to_plant(outcome.frames[k]);
  }
  if (trace && taken < 4 * ring_frames) trace->settle(now);
}

/// What a fault has made of it may be another message, or none.
void CanPort::Line::pass_to_plant(Frame frame) {
  const std::size_t index = received_as(frame);
  if (index == plan.receive.size()) {
    ++not_mapped;
    return;
  }
  if (frame.len < plan.receive[index].info.length) {
    ++too_short[index];
    return;
  }
  frame.plan = static_cast<std::uint16_t>(index);
  frame.bus = number;
  if (!received.push(frame)) ++receive_ring_full;
}

}  // namespace takt::can
