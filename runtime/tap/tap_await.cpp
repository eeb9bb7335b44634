// The part of the tap's port that waits for conditions: judged at every boundary, acted upon at the same one.

#include <algorithm>

#include "runtime/tap/tap_port.hpp"

namespace takt {

using Result = TapAnswer::Result;

/// The commands that follow `first` in its row are what is done where the condition holds.
void TapPort::begin_await(const TapCommand& first, SimTime now, ActionSink& sink) noexcept {
  const TapAnswer wrong{.id = first.id, .time_ns = now.ns(), .result = Result::wrong};
  const std::uint32_t count = first.count - 1;
  if (count > TapSegment::most_then || first.period_ns < 0 || first.period_ns > INT64_MAX / 4) return answer(wrong);
  AwaitSlots::Await* await = awaits_.begin(first);
  if (await == nullptr) return answer(wrong);
  for (std::uint32_t k = 0; k < count; ++k) {
    const TapCommand command = commands_.peek(k + 1);
    if (!may_be_awaited(command)) {
      awaits_.end(*await);
      return answer(wrong);
    }
    // Who is held looks at the plant there.
    await->observes = await->observes || command.kind == TapCommand::Kind::pause;
    await->then[k] = command;
  }
  await->count = count;
  await->until_ns = now.ns() + (first.period_ns + macro_step_ns_ - 1) / macro_step_ns_ * macro_step_ns_;
  awaits_.recount();
  // Signals are brought up to date for the next boundary, not for this one, unless the run is held here.
  answer({.id = first.id,
          .time_ns = holds_ ? now.ns() : now.ns() + macro_step_ns_,
          .period_ns = await->until_ns,
          .result = Result::begun});
  if (holds_) judge(*await, now, sink);
}

bool TapPort::may_be_awaited(const TapCommand& command) const noexcept {
  using Kind = TapCommand::Kind;
  if (command.kind == Kind::act) return is_possible(command.action);
  return command.kind == Kind::stop || (command.kind == Kind::pause && !settings_.paced);
}

void TapPort::judge_awaits(SimTime now, ActionSink& sink) noexcept {
  for (AwaitSlots::Await& await : awaits_.all())
    if (await.id != 0) judge(await, now, sink);
}

void TapPort::judge(AwaitSlots::Await& await, SimTime now, ActionSink& sink) noexcept {
  const bool in_time = now.ns() <= await.until_ns;  // simulated time may have jumped
  if (in_time && awaits_.holds(await, now)) return come_true(await, now, sink);
  if (now.ns() < await.until_ns) return;
  note_await(await, now, TapEvent::Kind::not_held);
  answer({.id = await.id, .time_ns = now.ns(), .result = Result::not_held});
  awaits_.end(await);
}

void TapPort::come_true(AwaitSlots::Await& await, SimTime now, ActionSink& sink) noexcept {
  TapAnswer result{.id = await.id, .time_ns = now.ns(), .period_ns = now.ns()};
  note_await(await, now, TapEvent::Kind::held);
  awaits_.read(await, segment_.awaits[awaits_.slot_of(await)].held);  // before its actions change them
  for (std::uint32_t k = 0; k < await.count; ++k) {
    const TapCommand& command = await.then[k];
    if (command.kind == TapCommand::Kind::stop) {
      stop(await.author, now, sink);
    } else if (command.kind == TapCommand::Kind::pause) {
      pause_here(await.author, now);
    } else if (!perform({.action = command.action, .author = await.author, .owner = command.owner}, now, sink,
                        result)) {
      break;
    }
    result.count = k + 1;
  }
  answer(result);
  awaits_.end(await);
}

void TapPort::note_await(const AwaitSlots::Await& await, SimTime now, TapEvent::Kind kind) noexcept {
  TapEvent event{.time_ns = now.ns(), .kind = kind, .author = await.author};
  event.text = segment_.awaits[awaits_.slot_of(await)].text;  // read as a text of its length at most
  note(event);
}

void TapPort::give_up_await(std::uint64_t id, SimTime now, Result why) noexcept {
  if (AwaitSlots::Await* await = awaits_.find(id)) {
    answer({.id = id, .time_ns = now.ns(), .result = why});
    awaits_.end(*await);
  }
}

void TapPort::give_up_awaits(SimTime now, Result why) noexcept {
  for (AwaitSlots::Await& await : awaits_.all()) give_up_await(await.id, now, why);
}

}  // namespace takt
