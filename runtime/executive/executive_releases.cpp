// The part of the executive that is about releases: waiting for them, what leaves and what is taken there, and whether
// what began at one was in time.

#include <algorithm>
#include <bit>

#include "runtime/executive/executive.hpp"

namespace takt {

/// An instant of the macro-step has come: what has been computed for it leaves, inputs are taken.
/// @return false: the run ends here
bool Executive::open(std::uint32_t number, StepWork& work) noexcept {
  const Schedule::Instant& instant = schedule_.instants()[number];
  if (one_by_one_ && number > 0) {
    if (!meet(work, number)) return false;
    if (options_.paced && !stops_) {
      send(work.start + instant.start, clock_.now(), Publish::early);
      judge(work);
    }
  }
  const std::uint64_t before = number > 0 && options_.paced ? clock_.ticks() : 0;
  const Pacer::Wake wake = stops_ ? Pacer::Wake{} : wait_for_release(work.macro_step, instant);
  const std::uint64_t woken_ticks = clock_.ticks();
  if (wake.dropped > 0 && options_.rig.regain) jump(wake.dropped, work);
  const SimTime now = work.start + instant.start;
  if (number == 0)
    work.woken_ticks = woken_ticks, work.release = wake.release;
  else if (options_.paced)
    work.waited_ticks += woken_ticks - before;
  work.segment = {.wake = wake,
                  .deadline = wake.release + at_real_time(instant.until_next),
                  .finish = {},
                  .woken_ticks = woken_ticks,
                  .instant = number};
  leader().note_woken(work);
  if (!one_by_one_) return true;
  if (!stops_) send(now, wake.release, Publish::on_time);
  if (instant.takes_inputs && !latch_inputs(number, now, stops_ ? clock_.now() : wake.release)) return false;
  if (!is_alone_) {
    team_.drop(pacer_.dropped(), jumped_);
    team_.note_waited(wake.waited);
    if (stops_) team_.hurry();
    team_.open(work.macro_step * schedule_.instants().size() + number + 1);
  }
  if (number == 0) wait_for_exchanges(work);
  return true;
}

/// Simulated time goes on where wall time is; states stand still meanwhile. Never beyond the last macro-step asked for.
void Executive::jump(std::uint32_t dropped, StepWork& work) noexcept {
  const std::uint64_t most =
      options_.macro_steps == 0 ? dropped : options_.macro_steps - 1 - (work.macro_step + jumped_);
  if (most == 0) return;
  jumped_ += std::min<std::uint64_t>(dropped, most);
  work.number = work.macro_step + jumped_;
  work.start = start_of(work.macro_step);
  void_digest();
}

/// What windows that ended then have computed.
/// @param due  when it is to leave
void Executive::send(SimTime now, WallTime due, Publish moment) noexcept {
  if (io_ == nullptr || moment != options_.rig.publish) return;
  io_->publish(now, due, steering_ ? steering_->readings().as_sent(now) : plant_.memory);
  if (trace_) note_transfer(TraceKind::sent, steps_done_ + jumped_);
}

/// What the last macro-step has computed is of the time at which the next one would be released.
void Executive::send_last() noexcept {
  if (io_ == nullptr || options_.rig.publish != Publish::on_time) return;
  const Pacer::Wake wake = wait_for_release(steps_done_, schedule_.instants().front());
  send(start_of(steps_done_), wake.release, Publish::on_time);
}

/// What the last release began has ended.
void Executive::judge(const StepWork& work) noexcept {
  std::uint16_t worker = 0;
  std::optional<OverrunPolicy> strictest = work.segment.policy;
  const SegmentWork& segment = !is_alone_ ? last_to_end(work, worker, strictest) : work.segment;
  const Pacer::Wake& wake = segment.wake;
  const Schedule::Instant& instant = schedule_.instants()[segment.instant];
  const StepTiming timing{.macro_step = work.number,
                          .start = work.start + instant.start,
                          .release = wake.release,
                          .woken = wake.woken,
                          .finish = worker == 0 ? clock_.now() : segment.finish,
                          .deadline = segment.deadline,
                          .blocked = segment.blocked,
                          .waited_for = segment.waited_for,
                          .compute = clock_.duration_of(segment.solver_ticks),
                          .period = worker == 0 ? at_real_time(instant.until_next) : segment.deadline - wake.release,
                          .instant = static_cast<std::uint32_t>(worker * schedule_.instants().size()) + segment.instant,
                          .worker = worker,
                          .dropped = work.segment.wake.dropped,
                          .waited = wake.waited,
                          .in_grace = work.start < SimTime{options_.rig.grace_ns},
                          .inner = segment.deadline < work.release + at_real_time(macro_step_),
                          .policy = strictest.value_or(policy_),
                          .first_missed = segment.first_missed,
                          .before_missed = segment.first_missed != no_subsystem ? segment.before_missed : work.before,
                          .longest = segment.longest,
                          .before_longest = segment.before_longest};
  const bool late = judge_.judge(timing);
  if (late && trace_) note_overrun(timing);
  stops_ = must_stop(timing, late) || stops_;
}

Pacer::Wake Executive::wait_for_release(std::uint64_t k, const Schedule::Instant& instant) noexcept {
  if (!options_.paced) return {};
  if (instant.start == SimDuration{}) {
    if (apart_) pacer_.steer(apart_->origin());
    pacer_.when_late(late_policy_.value_or(policy_) == OverrunPolicy::skip);
    late_policy_.reset();
  }
  const Pacer::Wake wake = instant.start > SimDuration{} ? pacer_.wait_within(k, at_real_time(instant.start))
                                                         : pacer_.wait(k, injected(Injection::Kind::late_wakeup, k));
  if (wake.wakeup >= WallDuration{}) wakeup_ns_.record(static_cast<std::uint64_t>(wake.wakeup.ns()));
  if (wake.waited)
    release_ns_.record(static_cast<std::uint64_t>(std::max(WallDuration{}, wake.woken - wake.release).ns()));
  return wake;
}

/// @return false: the run ends here
bool Executive::latch_inputs(std::uint32_t instant, SimTime now, WallTime release) noexcept {
  // The first macro-step keeps the start values the plant was initialised with: what a bus had brought by then
  // would be logged for its start, and a replay applies that before it initialises.
  if (io_ != nullptr && now > SimTime{}) io_->latch(now, release, latch_.newest());
  if (script_.changes_before(now + SimDuration{1}))
    changed_in_ = static_cast<std::uint64_t>(now.ns() / macro_step_.ns());
  script_.apply(now, latch_.newest());
  if (steering_) steering_->force(now, latch_.newest());
  if (apart_) tell_inputs(now);
  latch_.take(instant);
  const std::uint32_t changed = recorder_ != nullptr ? log_inputs(now) : TraceEvent::none;
  if (trace_) note_transfer(TraceKind::latched, steps_done_ + jumped_, changed);
  return leader().look_at_inputs();
}

/// Between hosts that do not wait: what is told comes there later than it was here, if at all before the end.
void Executive::tell_inputs(SimTime now) noexcept {
  const bool any =
      apart_->leads() ? apart_->inputs().differ(now, latch_.newest()) : apart_->inputs().come(latch_.newest());
  if (any) void_digest();
}

/// @return how many have changed; all of them at the start
std::uint32_t Executive::log_inputs(SimTime now) noexcept {
  std::uint32_t changed = 0;
  const std::span<const double> newest = latch_.newest();
  for (std::size_t i = 0; i < newest.size(); ++i) {
    const auto bits = std::bit_cast<std::uint64_t>(newest[i]);
    if (bits == logged_inputs_[i] && now > SimTime{}) continue;
    bool logged = recorder_->try_log_input(now, static_cast<std::uint32_t>(i), newest[i]);
    while (!logged && !options_.paced) {
      clock_.sleep_until(clock_.now() + back_pressure);
      logged = recorder_->try_log_input(now, static_cast<std::uint32_t>(i), newest[i]);
    }
    if (!logged) recorder_->lose_input();
    logged_inputs_[i] = bits;
    ++changed;
  }
  recorder_->reach(now);
  return changed;
}

/// For tests: an exchange that is held back. The wait ends at the deadline
/// at the latest: then the last version is extrapolated and the digest no longer stands for the model alone.
void Executive::wait_for_exchanges(StepWork& work) noexcept {
  const WallDuration hold = injected(Injection::Kind::blocked_exchange, work.macro_step);
  if (hold == WallDuration{} || !options_.paced) return;
  const std::uint64_t before = clock_.ticks();
  const WallTime begin = clock_.now(), ready = begin + hold;
  const WallTime last = std::max(begin, work.segment.deadline);
  clock_.spin_until(std::min(ready, last));
  if (ready > last) void_digest();
  work.blocked_ticks = clock_.ticks() - before;
  work.segment.blocked = clock_.duration_of(work.blocked_ticks);
  blocked_ += work.segment.blocked;
}

bool Executive::must_stop(const StepTiming& timing, bool late) noexcept {
  if (late) late_policy_ = std::max(late_policy_, std::optional(timing.policy));
  if (!late || timing.in_grace) return false;
  late_in_step_ = true;
  const RigSettings& rig = options_.rig;
  status_.overruns.store(judge_.log().overruns, std::memory_order_relaxed);
  status_.inner_late.store(judge_.log().inner_late, std::memory_order_relaxed);
  const bool stop = timing.policy == OverrunPolicy::stop ||
                    (rig.stop_above_ns > 0 && timing.finish - timing.deadline > WallDuration{rig.stop_above_ns});
  if (stop) end_ = End::overrun;
  return stop;
}

/// Overruns in a row are those of macro-steps: one with a stretch that was late is late.
void Executive::count_late_step() noexcept {
  late_in_a_row_ = late_in_step_ ? late_in_a_row_ + 1 : 0;
  late_in_step_ = false;
  const int most = options_.rig.stop_after_consecutive;
  if (most == 0 || late_in_a_row_ < most) return;
  end_ = End::overrun;
  stops_ = true;
}

WallDuration Executive::injected(Injection::Kind kind, std::uint64_t k) const noexcept {
  for (const Injection& injection : options_.injections) {
    if (injection.kind == kind && injection.macro_step == k) return injection.duration;
  }
  return {};
}

}  // namespace takt
