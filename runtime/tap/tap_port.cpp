#include "runtime/tap/tap_port.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "runtime/steering/window_copies.hpp"

namespace takt {

using Result = TapAnswer::Result;

TapPort::TapPort(const PlantDescription& plant, TapSegment& segment, Clock& clock, const Settings& settings)
    : memory_(plant.memory),
      plant_(plant),
      segment_(segment),
      status_(segment.status),
      clock_(clock),
      settings_(settings),
      macro_step_ns_(plant.macro_step_ns),
      tell_every_ns_(settings.paced || settings.tell_every <= 1 ? 0 : plant.macro_step_ns * settings.tell_every),
      commands_(segment.commands),
      answers_(segment.answers),
      events_(segment.events),
      values_(segment.values),
      awaits_(plant, segment),
      leases_(plant),
      paused_(settings.holds_at_start && !settings.paced) {
  if (plant.memory_size > UINT32_MAX) throw std::runtime_error("no tap: plant memory of more than 4 GB");
  for (Subscription& subscription : subscriptions_) subscription.offsets.resize(TapSegment::most_rows);
}

void TapPort::direct(SimTime now, ActionSink& sink) noexcept {
  copies_ = sink.window_copies();
  if (used_ > 0) observe(now);
  publish(now, TapStatus::Phase::running);
  if (awaits_.any()) judge_awaits(now, sink);
  take_commands(now, sink);
  look_after_leases(now, sink);
  if (taking_ > 0) take_rows(now);
  if (step_.id != 0 && steps_left_ == 0) arrive(now);
  if (paused_ && !stops_) hold(now, sink);
  if (steps_left_ > 0) --steps_left_;
}

bool TapPort::is_due(std::size_t slot, SimTime now) const noexcept {
  const Subscription& subscription = subscriptions_[slot];
  if (now.ns() < subscription.from_ns) return false;
  // On a grid from time 0 on, also where time has jumped.
  return subscription.period_ns == 0 || now.ns() % subscription.period_ns == 0;
}

bool TapPort::looks_at(SimTime now) const noexcept {
  if (step_.id != 0 || awaits_.observes()) return true;  // it may pause there
  for (std::uint32_t slot = 0; slot < used_; ++slot)
    if (subscriptions_[slot].copied == no_subsystem && is_due(slot, now)) return true;
  return false;
}

void TapPort::observe(SimTime now) noexcept {
  for (std::uint32_t slot = 0; slot < used_; ++slot)
    if (is_due(slot, now)) sample(slot, now);
  for (std::uint32_t slot = 0; copying_ > 0 && slot < used_; ++slot)
    if (subscriptions_[slot].copied != no_subsystem) copies_->clear(subscriptions_[slot].copied);
}

/// Straight into the ring.
void TapPort::sample(std::size_t slot, SimTime now) noexcept {
  const Subscription& subscription = subscriptions_[slot];
  const std::size_t words = subscription.count + 2;
  std::span<const std::byte> windows;
  if (subscription.copied != no_subsystem) {
    windows = copies_->taken(subscription.copied);
    if (windows.size() != subscription.count * sizeof(std::uint64_t)) return;  // a boundary has passed unseen
  }
  RingWriter<decltype(TapSegment::values)>::Room room;
  if (!values_.find_room(words, room)) {
    ++samples_dropped_;  // what is wanted once is tried again
    return;
  }
  const SampleHead head{.ticket = static_cast<std::uint32_t>(subscription.id),
                        .slot = static_cast<std::uint16_t>(slot),
                        .count = static_cast<std::uint16_t>(subscription.count)};
  const std::array<std::uint64_t, 2> front{std::bit_cast<std::uint64_t>(head), static_cast<std::uint64_t>(now.ns())};
  const std::uint32_t* offset = subscription.offsets.data();
  std::size_t k = 0, copied = 0;
  for (const std::span<std::uint64_t> part : {room.first, room.second}) {
    std::uint64_t* to = part.data();
    const std::uint64_t* end = to + part.size();
    for (; k < front.size() && to != end; ++k) *to++ = front[k];
    if (!windows.empty()) {
      const auto left = static_cast<std::size_t>(end - to);
      std::memcpy(to, windows.data() + copied * sizeof(std::uint64_t), left * sizeof(std::uint64_t));
      copied += left;
      continue;
    }
    while (to != end) *to++ = *reinterpret_cast<const std::uint64_t*>(memory_ + *offset++);
  }
  values_.publish(words);
  ++samples_;
  if (subscription.period_ns == 0) unsubscribe(slot);
}

void TapPort::publish(SimTime now, TapStatus::Phase phase) noexcept {
  constexpr auto any = std::memory_order_relaxed;
  status_.time_ns.store(now.ns(), any);
  status_.phase.store(phase, any);
  status_.samples.store(samples_, any);
  status_.samples_dropped.store(samples_dropped_, any);
  if (run_ == nullptr) return;
  status_.macro_steps.store(run_->macro_steps.load(any), any);
  status_.busy_ns.store(run_->busy.load(any).ns(), any);
  const std::uint64_t overruns = run_->overruns.load(any), verdicts = run_->verdicts.load(any);
  if (overruns != overruns_ || verdicts != verdicts_) note_changes(now);
}

void TapPort::note_changes(SimTime now) noexcept {
  constexpr auto any = std::memory_order_relaxed;
  const std::uint64_t overruns = run_->overruns.load(any), verdicts = run_->verdicts.load(any);
  if (overruns != overruns_) note({.time_ns = now.ns(), .number = overruns, .kind = TapEvent::Kind::overruns});
  if (verdicts != verdicts_) note({.time_ns = now.ns(), .number = verdicts, .kind = TapEvent::Kind::verdicts});
  overruns_ = overruns, verdicts_ = verdicts;
  status_.overruns.store(overruns, any);
  status_.inner_late.store(run_->inner_late.load(any), any);
  status_.verdicts.store(verdicts, any);
  status_.ledger_alarms.store(run_->ledger_alarms.load(any), any);
}

/// A row of actions is taken whole, or left for the next boundary.
void TapPort::take_commands(SimTime now, ActionSink& sink) noexcept {
  for (int left = commands_at_once; left > 0;) {
    const std::size_t there = commands_.available();
    if (there == 0) break;
    const TapCommand command = commands_.peek(0);
    const bool acts = command.kind == TapCommand::Kind::act, awaits = command.kind == TapCommand::Kind::await;
    const std::uint32_t row = acts || awaits ? command.count : 1;
    if (row == 0 || row > TapSegment::most_actions || row > there) {  // nobody in his senses writes that
      commands_.drop_all();
      return answer({.id = command.id, .time_ns = now.ns(), .result = Result::wrong});
    }
    if (static_cast<int>(row) > left) return;
    left -= static_cast<int>(row);
    commands_taken_ += row;
    acts ? act(command, now, sink) : awaits ? begin_await(command, now, sink) : take(command, now, sink);
    commands_.drop(row);
    if (command.kind == TapCommand::Kind::step) break;  // what was asked for later waits till it is done
  }
  status_.commands.store(commands_taken_, std::memory_order_relaxed);
}

void TapPort::take(const TapCommand& command, SimTime now, ActionSink& sink) noexcept {
  using Kind = TapCommand::Kind;
  const TapAnswer done{.id = command.id, .time_ns = now.ns()};
  switch (command.kind) {
    case Kind::begin:
      for (std::size_t slot = 0; slot < subscriptions_.size(); ++slot) unsubscribe(slot);
      give_up_awaits(now, Result::given_up);
      leases_.lose(0);
      return answer(done);
    case Kind::subscribe:
      return subscribe(command, now);
    case Kind::copies:
      return subscribe_copies(command, now);
    case Kind::unsubscribe:
      if (command.slot < subscriptions_.size()) unsubscribe(command.slot);
      return answer(done);
    case Kind::pause:
    case Kind::resume:
    case Kind::step:
      return set_paused(command, now);
    case Kind::stop:
      stop(command.author, now, sink);
      return answer(done);
    case Kind::unawait:
      give_up_await(static_cast<std::uint64_t>(command.period_ns), now, Result::given_up);
      return answer(done);
    case Kind::lease:
    case Kind::detach:
    case Kind::lost:
      return take_lease(command, now);
    case Kind::act:
    case Kind::await:
      break;
  }
  answer({.id = command.id, .time_ns = now.ns(), .result = Result::wrong});
}

void TapPort::stop(std::uint16_t author, SimTime now, ActionSink& sink) noexcept {
  stops_ = true;
  sink.stop("stopped by a client of the tap");
  note({.time_ns = now.ns(), .kind = TapEvent::Kind::stopped, .author = author});
}

bool TapPort::is_possible(const Action& action) const noexcept {
  using Verb = Action::Verb;
  if (action.verb > Verb::checkpoint || !std::isfinite(action.value) || !std::isfinite(action.distortion.amount))
    return false;
  if (action.distortion.kind > Distortion::Kind::open) return false;
  if (action.verb == Verb::set) return action.target < plant_.plant_inputs.size();
  if (action.verb == Verb::disturb) return action.target < plant_.outside_count;
  if (action.verb == Verb::fault || action.verb == Verb::mend) return action.target < plant_.faults.size();
  return action.target < plant_.table.size();
}

void TapPort::act(const TapCommand& first, SimTime now, ActionSink& sink) noexcept {
  TapAnswer result{.id = first.id, .time_ns = now.ns()};
  std::array<Action, TapSegment::most_actions> actions;  // a copy: what is shared may change while it is looked at
  for (std::uint32_t k = 0; k < first.count; ++k) {
    actions[k] = commands_.peek(k).action;
    if (!is_possible(actions[k])) return result.result = Result::wrong, answer(result);
  }
  if (first.owner != 0 && first.count > leases_.room()) return result.result = Result::full, answer(result);
  for (std::uint32_t k = 0; k < first.count; ++k) {
    if (!perform({.action = actions[k], .author = first.author, .owner = first.owner}, now, sink, result)) break;
    result.count = k + 1;
  }
  answer(result);
}

/// @param result  of all that are done together, `count` of them so far  @return false: there was no room
bool TapPort::perform(const Wish& wish, SimTime now, ActionSink& sink, TapAnswer& result) noexcept {
  const bool has_room = wish.owner == 0 || leases_.room() > 0;
  const SimTime effective = has_room ? sink.act(wish.action, wish.author) : SimTime{-1};
  if (effective < SimTime{}) {
    result.result = result.count == 0 ? Result::full : Result::partly;
    note({.time_ns = now.ns(), .kind = TapEvent::Kind::no_room, .author = wish.author, .action = wish.action});
    return false;
  }
  result.time_ns = std::max(result.time_ns, effective.ns());
  leases_.note(wish.action, wish.owner, wish.author);
  note({.time_ns = effective.ns(), .kind = TapEvent::Kind::action, .author = wish.author, .action = wish.action});
  return true;
}

void TapPort::subscribe(const TapCommand& command, SimTime now) noexcept {
  const TapAnswer wrong{.id = command.id, .time_ns = now.ns(), .result = Result::wrong};
  if (command.slot >= subscriptions_.size() || command.count == 0 || command.period_ns < 0) return answer(wrong);
  unsubscribe(command.slot);
  if (command.count > TapSegment::most_rows - rows_) return answer(wrong);
  if (command.period_ns > INT64_MAX - macro_step_ns_) return answer(wrong);
  Subscription& subscription = subscriptions_[command.slot];
  subscription.id = command.id;
  subscription.period_ns = (command.period_ns + macro_step_ns_ - 1) / macro_step_ns_ * macro_step_ns_;
  subscription.count = command.count;
  subscription.taken = 0;
  rows_ += command.count;
  ++taking_;
}

/// Nothing need be observed for it: whoever computes it again does that himself.
void TapPort::subscribe_copies(const TapCommand& command, SimTime now) noexcept {
  const TapAnswer wrong{.id = command.id, .time_ns = now.ns(), .result = Result::wrong};
  if (command.slot >= subscriptions_.size() || command.count >= plant_.subsystems.size() || copies_ == nullptr)
    return answer(wrong);
  unsubscribe(command.slot);
  const auto subsystem = static_cast<std::uint16_t>(command.count);
  if (!copies_->begin(subsystem)) return answer(wrong);
  Subscription& subscription = subscriptions_[command.slot];
  subscription.id = command.id;
  subscription.period_ns = macro_step_ns_;
  subscription.copied = subsystem;
  subscription.count = subscription.taken =
      static_cast<std::uint32_t>(WindowCopies::macro_step_bytes(plant_, subsystem) / sizeof(std::uint64_t));
  subscription.from_ns = now.ns() + macro_step_ns_;
  ++copying_;
  used_ = std::max(used_, static_cast<std::uint32_t>(command.slot) + 1);
  answer({.id = command.id, .time_ns = subscription.from_ns, .period_ns = macro_step_ns_, .count = subscription.count});
}

void TapPort::unsubscribe(std::size_t slot) noexcept {
  Subscription& subscription = subscriptions_[slot];
  if (subscription.count == 0) return;
  if (subscription.taken < subscription.count) --taking_;
  if (subscription.copied == no_subsystem) {
    rows_ -= subscription.count;
  } else {
    copies_->end(subscription.copied);
    subscription.copied = no_subsystem, --copying_;
  }
  subscription.count = subscription.taken = 0;
  subscription.from_ns = never;
  while (used_ > 0 && subscriptions_[used_ - 1].count == 0) --used_;
  status_.rows.store(rows_, std::memory_order_relaxed);
}

/// Some at a boundary, so that thousands of rows are no work of one.
void TapPort::take_rows(SimTime now) noexcept {
  std::uint32_t left = rows_at_once;
  for (std::size_t slot = 0; slot < subscriptions_.size() && left > 0; ++slot) {
    Subscription& subscription = subscriptions_[slot];
    if (subscription.taken == subscription.count) continue;
    for (; subscription.taken < subscription.count && left > 0; ++subscription.taken, --left) {
      const std::uint32_t row = segment_.rows[slot][subscription.taken];
      if (row >= plant_.table.size()) {
        const std::uint64_t id = subscription.id;
        unsubscribe(slot);
        answer({.id = id, .time_ns = now.ns(), .result = Result::wrong});
        break;
      }
      subscription.offsets[subscription.taken] = static_cast<std::uint32_t>(plant_.table[row].offset);
    }
    if (subscription.count == 0 || subscription.taken < subscription.count) continue;
    begin_to_look(slot, now);
  }
}

/// Signals are brought up to date for the next boundary, not for this one, unless the run is held here.
void TapPort::begin_to_look(std::size_t slot, SimTime now) noexcept {
  Subscription& subscription = subscriptions_[slot];
  const std::int64_t period = subscription.period_ns;
  const bool at_once = holds_ && (period == 0 || now.ns() % period == 0);
  const std::int64_t next = period == 0 ? now.ns() + 1 : (now.ns() / period + 1) * period;
  --taking_;
  subscription.from_ns = next;
  used_ = std::max(used_, static_cast<std::uint32_t>(slot) + 1);
  status_.rows.store(rows_, std::memory_order_relaxed);
  answer(
      {.id = subscription.id, .time_ns = at_once ? now.ns() : next, .period_ns = period, .count = subscription.count});
  if (at_once) sample(slot, now);
}

void TapPort::answer(const TapAnswer& answer) noexcept {
  if (answers_.try_push(answer)) return;
  status_.answers_dropped.store(++answers_dropped_, std::memory_order_relaxed);
}

void TapPort::note(const TapEvent& event) noexcept {
  if (events_.try_push(event)) return;
  status_.events_dropped.store(++events_dropped_, std::memory_order_relaxed);
}

void TapPort::settled(const Action& action, SimTime now, const char* refused) noexcept {
  if (refused == nullptr) return;
  TapEvent event{.time_ns = now.ns(), .kind = TapEvent::Kind::refused, .action = action};
  for (std::size_t k = 0; k + 1 < event.text.size() && refused[k] != '\0'; ++k) event.text[k] = refused[k];
  note(event);
}

void TapPort::end(SimTime now) noexcept {
  give_up_step(now, Result::ended);
  give_up_awaits(now, Result::ended);
  publish(now, TapStatus::Phase::ended);
}

}  // namespace takt
