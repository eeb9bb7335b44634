#include "runtime/io/can/stage.hpp"

#include <algorithm>
#include <cstring>
#include <ctime>

#include "runtime/io/record/standard_streams.hpp"
#include "runtime/plant/wall_clock.hpp"
#include "runtime/stats/format.hpp"

namespace takt::can {
namespace {

constexpr WallDuration turn{1'000'000}, longest_leave{1'000'000'000};

std::string seconds(WallDuration time) { return formatted("%.3f s", time.seconds()); }

}  // namespace

CanPort::Stage::Stage(CanPort& port, const StepSurroundings& around, const char* title)
    : port_(port), around_(around), title_(title), began_(wall_now()) {
  for (const auto& line : port_.lines_) settle_ = std::max(settle_, WallDuration{line->plan.grid_ns * 2});
  settle_ += turn * 2;
  for (const auto& line : port_.lines_)
    for (std::size_t k = 0; k < line->sending.size(); ++k) line->sending[k].due = SimTime{line->plan.send[k].period_ns};
}

SimTime CanPort::Stage::stage_time() const { return SimTime{(wall_now() - began_).ns()}; }

void CanPort::Stage::show_start(const std::byte* memory) {
  for (const auto& line : port_.lines_) {
    for (std::size_t k = 0; k < line->sending.size(); ++k) {
      auto& state = line->sending[k];
      const auto& signals = line->plan.send[k].signals;
      for (std::size_t s = 0; s < state.offsets.size(); ++s) {
        if (state.offsets[s] == Line::npos) continue;
        double value = 0.0;
        std::memcpy(&value, memory + state.offsets[s], sizeof value);
        state.values[s] = value * signals[s].scale + signals[s].offset;
      }
    }
  }
}

std::string CanPort::Stage::take(std::span<const StepPlan> steps, bool to_the_end) {
  std::string failed;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const std::string name =
        title_ + " " + std::to_string(k + 1) + " of " + std::to_string(steps.size()) + ", " + steps[k].text;
    const WallTime begin = wall_now();
    const std::string wrong = take(steps[k], to_the_end);
    say(name + (wrong.empty() ? ": done after " + seconds(wall_now() - begin) : ": " + wrong));
    if (wrong.empty()) continue;
    if (failed.empty()) failed = "step " + name + ": " + wrong;
    if (!to_the_end) break;
  }
  return failed;
}

std::string CanPort::Stage::take(const StepPlan& step, bool to_the_end) {
  if (step.kind == StepPlan::Kind::set) return set(step);
  const WallTime begin = wall_now();
  // The answer to what has been set may be there before it is known that it has left.
  const WallTime since = last_set_.value_or(begin);
  last_set_.reset();
  const WallDuration most{step.within_ns};
  const bool waits = step.kind == StepPlan::Kind::wait || step.kind == StepPlan::Kind::when;
  const std::uint64_t errors = bus_errors();
  for (;;) {
    cycle();
    if (waits && is_fulfilled(step, since)) return {};
    if (bus_errors() != errors) return "a bus is lost";
    if (!to_the_end && !around_.goes_on()) return "stopped by the user";
    if (wall_now() - begin < most) continue;
    if (!waits) return {};
    const auto& line = *port_.lines_[step.bus];
    const std::string message = line.plan.name + std::string(".") + line.plan.receive[step.message].info.name;
    const std::string within = " within " + short_duration(most.seconds());
    if (step.kind == StepPlan::Kind::wait || line.receiving[step.message].stamp < since)
      return "no frame of " + message + " came" + within;
    return "it does not hold" + within + ": the signal is " +
           short_number(line.receiving[step.message].early[step.signal]);
  }
}

std::string CanPort::Stage::set(const StepPlan& step) {
  last_set_ = wall_now();
  for (const SetPlan& set : step.sets) {
    const auto& line = *port_.lines_[set.bus];
    const auto& signal = line.plan.send[set.message].signals[set.signal];
    SetPlan before = set;
    before.value = line.sending[set.message].values[set.signal];
    port_.undos_.push_back({before, signal_text(before), signal.path == nullptr && !(signal.safe == signal.safe)});
    put(set);
  }
  return let_leave(step.sets);
}

/// Done when frames with it have left; an interface that has no room is tried again.
std::string CanPort::Stage::let_leave(std::span<const SetPlan> sets) {
  const std::uint64_t errors = bus_errors();
  const WallTime begin = wall_now();
  for (WallTime tried = begin;;) {
    cycle();
    const auto stays = [&](const SetPlan& set) {
      return port_.lines_[set.bus]->left[set.message].load(std::memory_order_acquire) < begin;
    };
    const auto staying = std::find_if(sets.begin(), sets.end(), stays);
    if (staying == sets.end()) return {};
    const auto& plan = port_.lines_[staying->bus]->plan;
    if (bus_errors() != errors) return "a bus is lost";
    const WallTime now = wall_now();
    if (now - begin > longest_leave)
      return "no frame of " + (plan.name + std::string(".") + plan.send[staying->message].info.name) + " left within " +
             short_duration(longest_leave.seconds());
    if (now - tried < settle_) continue;
    tried = now;
    for (const SetPlan& set : sets)
      if (stays(set)) port_.lines_[set.bus]->sending[set.message].handed_over = false;
  }
}

void CanPort::Stage::put(const SetPlan& set) {
  auto& line = *port_.lines_[set.bus];
  line.sending[set.message].values[set.signal] = set.value;
  line.sending[set.message].due = SimTime{};  // at once, and from then on at its period
  line.sending[set.message].handed_over = false;
}

std::string CanPort::Stage::signal_text(const SetPlan& set) const {
  const auto& plan = port_.lines_[set.bus]->plan;
  return std::string(plan.name) + "." + plan.send[set.message].signals[set.signal].signal + " = " +
         short_number(set.value);
}

std::string CanPort::Stage::undo(bool lasting_only) {
  std::string failed;
  for (; !port_.undos_.empty(); port_.undos_.pop_back()) {
    const Undo& undo = port_.undos_.back();
    if (lasting_only && !undo.lasts) continue;
    put(undo.before);
    const std::string wrong = let_leave({&undo.before, 1});
    const std::string what = (wrong.empty() ? "undone, " : "not undone, ") + undo.text;
    say(title_ + ": " + what + (wrong.empty() ? "" : ": " + wrong));
    if (failed.empty() && !wrong.empty()) failed = "steps of the start " + what + ": " + wrong;
  }
  return failed;
}

void CanPort::Stage::leave_safe() {
  port_.publish_safe(SimTime{});
  cycle_for(settle_);
}

void CanPort::Stage::clear() {
  for (const auto& line : port_.lines_) {
    for (auto& state : line->sending) state.due = state.free = SimTime{}, state.handed_over = state.owed = false;
    line->has_early = true;
  }
}

/// A condition is about what has come lately: not about an ECU that has gone meanwhile.
bool CanPort::Stage::is_fulfilled(const StepPlan& step, WallTime since) const {
  const auto& line = *port_.lines_[step.bus];
  const auto& state = line.receiving[step.message];
  if (!state.seen) return false;
  if (step.kind == StepPlan::Kind::wait) return state.stamp >= since;
  const std::int64_t timeout = line.plan.receive[step.message].timeout_ns;
  return (timeout == 0 || (wall_now() - state.early_stamps[step.signal]).ns() <= timeout) &&
         holds(state.early[step.signal], step.comparison, step.value);
}

void CanPort::Stage::forget_received() {
  for (const auto& line : port_.lines_) {
    Frame frame;
    for (std::size_t taken = 0; taken < line->received_frames_at_once && line->received.pop(frame); ++taken) {
    }
    for (auto& state : line->receiving) {
      state.seen = false;
      std::fill(state.early.begin(), state.early.end(), absent);
    }
  }
}

void CanPort::Stage::cycle() {
  const SimTime now = stage_time();
  for (const auto& line : port_.lines_) {
    receive(*line);
    for (std::size_t k = 0; k < line->sending.size(); ++k) {
      auto& state = line->sending[k];
      const auto& plan = line->plan.send[k];
      if (state.handed_over && (plan.period_ns == 0 || now < state.due)) continue;
      line->hand_over(k, wall_now());
      state.due = now + SimDuration{plan.period_ns};
    }
  }
  around_.beat();
  const timespec pause = to_timespec(turn);
  ::nanosleep(&pause, nullptr);
}

void CanPort::Stage::cycle_for(WallDuration time) {
  const WallTime until = wall_now() + time;
  while (wall_now() < until) cycle();
}

void CanPort::Stage::receive(Line& line) {
  Frame frame;
  for (std::size_t taken = 0; taken < line.received_frames_at_once && line.received.pop(frame); ++taken) {
    auto& state = line.receiving[frame.plan];
    if (!line.plan.receive[frame.plan].decode(frame, line.scratch.data())) continue;
    ++state.frames, ++state.before_start;
    state.seen = true, state.stamp = frame.stamp;
    for (std::size_t k = 0; k < state.early.size(); ++k)
      if (line.scratch[k] == line.scratch[k])  // pages come one after another
        state.early[k] = line.scratch[k], state.early_stamps[k] = frame.stamp;
  }
}

std::uint64_t CanPort::Stage::bus_errors() const {
  std::uint64_t sum = 0;
  for (const auto& line : port_.lines_) sum += line->bus_errors.load(std::memory_order_relaxed);
  return sum;
}

void CanPort::Stage::say(const std::string& text) {
  const std::string event = text + " (" + seconds(wall_now() - began_) + " after the first)";
  (void)tell("takt: " + text + "\n");
  port_.step_events_.push_back({port_.end_, event});
}

std::string CanPort::take_start_steps(const StepSurroundings& around) {
  if (sequences_.start.empty()) return {};
  Stage stage(*this, around, "start");
  stage.show_start(around.plant_memory);
  std::string failed = stage.take(sequences_.start, false);
  if (!failed.empty()) {
    (void)stage.undo(false);
    stage.leave_safe();
  }
  stage.clear();
  return failed;
}

std::string CanPort::take_stop_steps(const StepSurroundings& around) {
  if (sequences_.stop.empty() && undos_.empty()) return {};
  Stage stage(*this, around, "stop");
  stage.forget_received();
  if (sequences_.stop.empty()) return stage.undo(true);
  return stage.take(sequences_.stop, true);
}

}  // namespace takt::can
