// The part of the tap's port that holds a free run: pause, resume, step.

#include "runtime/tap/tap_port.hpp"

namespace takt {
namespace {

constexpr WallDuration nap{500'000};
constexpr WallDuration longest_silence{5'000'000'000};  // of the keeper; then nobody can resume the run

}  // namespace

void TapPort::set_paused(const TapCommand& command, SimTime now) noexcept {
  using Kind = TapCommand::Kind;
  using Result = TapAnswer::Result;
  TapAnswer result{.id = command.id, .time_ns = now.ns()};
  if (settings_.paced) return result.result = Result::paced, answer(result);
  if (command.kind == Kind::step && command.period_ns <= 0) return result.result = Result::wrong, answer(result);
  if (command.kind == Kind::resume && !paused_ && step_.id == 0)
    return result.result = Result::not_paused, answer(result);
  give_up_step(now, Result::replaced);
  if (command.kind == Kind::resume) {
    paused_ = false;
    note({.time_ns = now.ns(), .kind = TapEvent::Kind::resumed, .author = command.author});
    return answer(result);
  }
  if (command.kind == Kind::pause && paused_) return answer(result);
  paused_ = false;
  step_ = command;
  steps_left_ = command.kind == Kind::step ? static_cast<std::uint64_t>(command.period_ns) : 1;
}

/// Everything has been observed here.
void TapPort::pause_here(std::uint16_t author, SimTime now) noexcept {
  give_up_step(now, TapAnswer::Result::replaced);
  if (!paused_) note({.time_ns = now.ns(), .kind = TapEvent::Kind::paused, .author = author});
  paused_ = true;
}

/// The step ends here.
void TapPort::arrive(SimTime now) noexcept {
  const bool pause = step_.kind == TapCommand::Kind::pause;
  answer({.id = step_.id, .time_ns = now.ns()});
  note({.time_ns = now.ns(),
        .number = pause ? 0 : static_cast<std::uint64_t>(step_.period_ns),
        .kind = pause ? TapEvent::Kind::paused : TapEvent::Kind::stepped,
        .author = step_.author});
  step_.id = 0;
  paused_ = true;
}

void TapPort::give_up_step(SimTime now, TapAnswer::Result why) noexcept {
  if (step_.id != 0) answer({.id = step_.id, .time_ns = now.ns(), .result = why});
  step_.id = 0;
  steps_left_ = 0;
}

/// Ends when somebody resumes, steps or stops the run, by the tap or otherwise, or when nobody can any more.
void TapPort::hold(SimTime now, ActionSink& sink) noexcept {
  const std::atomic<std::uint64_t>& beats = segment_.services.keeper_beats;
  std::uint64_t beat = beats.load(std::memory_order_relaxed);
  WallTime heard = clock_.now();
  holds_ = true;
  // Reads that came at this very boundary, before it was known that the run is held: the next boundary may be far.
  for (std::uint32_t slot = 0; slot < used_; ++slot)
    if (const Subscription& wanted = subscriptions_[slot]; wanted.period_ns == 0 && now.ns() < wanted.from_ns)
      if (wanted.count > 0 && wanted.from_ns != never) sample(slot, now);
  publish(now, TapStatus::Phase::paused);
  while (paused_ && !stops_) {
    clock_.sleep_until(clock_.now() + nap);
    take_commands(now, sink);
    look_after_leases(now, sink);
    if (taking_ > 0) take_rows(now);
    if (settings_.is_asked_to_stop != nullptr && settings_.is_asked_to_stop()) break;
    const WallTime time = clock_.now();
    if (const std::uint64_t current = beats.load(std::memory_order_relaxed); current != beat)
      beat = current, heard = time;
    if (time - heard <= longest_silence) continue;
    paused_ = false;
    note({.time_ns = now.ns(), .kind = TapEvent::Kind::nobody_resumes});
  }
  holds_ = false;
  publish(now, TapStatus::Phase::running);
}

}  // namespace takt
