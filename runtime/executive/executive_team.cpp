// The part of the executive that leads several workers: what they may begin, where all meet, and what all have ended.
// A paced run opens every instant as it comes. A free one opens macro-steps ahead, up to the next at whose beginning
// somebody looks at the plant or changes its inputs.

#include <algorithm>

#include "runtime/executive/executive.hpp"

namespace takt {

/// @return false: the run ends here
bool Executive::begin_step(std::uint64_t k) noexcept {
  if (is_alone_) {
    opened_steps_ = k + 1;
    return direct(k);
  }
  if (team_.ends_at() <= k) return false;
  close_what_is_complete();
  if (k < opened_steps_) {
    open_ahead();
    return true;
  }
  if (!wait_for_all(k) || !direct(k)) return false;
  one_by_one_ = goes_one_by_one(k);
  opened_steps_ = k + 1;
  if (!one_by_one_) open_ahead();
  return true;
}

void Executive::open_ahead() noexcept {
  const bool ends = stop_.load(std::memory_order_relaxed) != nullptr;
  while (!ends && opened_steps_ < closed_steps_ + Team::run_ahead &&
         (options_.macro_steps == 0 || opened_steps_ < options_.macro_steps) && !is_met_before(opened_steps_) &&
         !goes_one_by_one(opened_steps_))
    ++opened_steps_;
  team_.open(opened_steps_ * schedule_.instants().size());
}

/// Inputs may change in this macro-step, or something is sent at its releases.
bool Executive::goes_one_by_one(std::uint64_t k) const noexcept {
  return options_.paced || io_ != nullptr || k <= changed_in_ + 1 || script_.changes_before(start_of(k + 1));
}

bool Executive::is_met_before(std::uint64_t k) const noexcept {
  return workers_.front().is_looked_at(start_of(k)) || (steering_ && steering_->is_due(start_of(k))) ||
         (copies_ && copies_->is_due(k));
}

/// Others have computed what must have ended when this instant of the macro-step comes.
/// @return false: the run ends here
bool Executive::meet(StepWork& work, std::uint32_t instant) noexcept {
  if (is_alone_) return true;
  work.segment.finish = clock_.now();
  const std::uint64_t before = clock_.ticks();
  for (std::size_t i = 1; i < workers_.size(); ++i) {
    const WorkPlan::Part& part = work_.parts()[i];
    const std::uint64_t needed = work.macro_step * part.slots.size() + part.due[instant];
    if (!team_.wait_until([&] { return team_.slots_of(i) >= needed; }, work.macro_step, team_.looks_for(0, i)))
      return false;
  }
  leader().note_waited(work, before, TraceEvent::none);
  return true;
}

/// @return false: the run ends here
bool Executive::end_step(StepWork& work, SimTime end) noexcept {
  const std::uint64_t k = work.macro_step;
  if (is_alone_) {
    if (apart_)
      apart_->put_sum(work.digest + (apart_->leads() ? digest_.of_inputs() : 0));
    else
      digest_.close(k + 1, work.digest);
    status_.verdicts.store(leader().watch().verdicts(), std::memory_order_relaxed);
    status_.ledger_alarms.store(leader().ledger_alarms(), std::memory_order_relaxed);
    return true;
  }
  team_.ended(0, k,
              {.digest = work.digest, .verdicts = leader().watch().verdicts(), .alarms = leader().ledger_alarms()});
  if (!one_by_one_ && !leader().is_looked_at(end) && !(copies_ && copies_->is_due(k + 1))) return true;
  work.segment.finish = clock_.now();
  const std::uint64_t before = clock_.ticks();
  const bool all = wait_for_all(k + 1);
  leader().note_waited(work, before, TraceEvent::none);
  return all;
}

bool Executive::wait_for_all(std::uint64_t macro_steps) noexcept {
  if (macro_steps == 0) return true;
  for (std::size_t i = 1; i < workers_.size(); ++i)
    if (!team_.wait_until([&] { return team_.macro_steps_of(i) >= macro_steps; }, macro_steps - 1,
                          team_.looks_for(0, i)))
      return false;
  close_what_is_complete();
  return true;
}

/// Of macro-steps that all workers have ended. Inputs have not changed meanwhile: that is where all meet.
void Executive::close_what_is_complete() noexcept {
  std::uint64_t complete = team_.macro_steps_of(0);
  for (std::size_t i = 1; i < workers_.size(); ++i) complete = std::min(complete, team_.macro_steps_of(i));
  for (; closed_steps_ < complete; ++closed_steps_) {
    std::uint64_t digest = 0, verdicts = 0, alarms = 0;
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      const Team::StepSum& sum = team_.sum_of(i, closed_steps_);
      digest += sum.digest, verdicts += sum.verdicts, alarms += sum.alarms;
    }
    digest_.close(closed_steps_ + 1, digest);
    status_.verdicts.store(verdicts, std::memory_order_relaxed);
    status_.ledger_alarms.store(alarms, std::memory_order_relaxed);
  }
}

void Executive::count_busy_of_all() noexcept {
  for (; counted_steps_ < std::min(closed_steps_, steps_done_); ++counted_steps_) {
    std::uint64_t busy = own_busy_[counted_steps_ % own_busy_.size()];
    for (std::size_t i = 1; i < workers_.size(); ++i) busy = std::max(busy, team_.sum_of(i, counted_steps_).busy);
    count_busy(counted_steps_, busy);
  }
}

/// Of those whose work was due at the end of this stretch.
const SegmentWork& Executive::last_to_end(const StepWork& work, std::uint16_t& worker,
                                          std::optional<OverrunPolicy>& strictest) noexcept {
  const SegmentWork* last = &work.segment;
  const std::uint32_t instant = work.segment.instant;
  for (std::size_t i = 1; i < workers_.size(); ++i) {
    const WorkPlan::Part& part = work_.parts()[i];
    const std::uint32_t due = part.due[instant + 1];
    if (due == part.due[instant]) continue;
    const bool goes_on = due < part.slots.size() && part.slots[due].opens == part.slots[due - 1].opens;
    if (goes_on) continue;  // what it does is judged when all of it is due
    const std::uint64_t began = work.macro_step * schedule_.instants().size() + part.slots[due - 1].opens - 1;
    const SegmentWork& segment = team_.segment_of(i, began);
    strictest = std::max(strictest, segment.policy);
    if (segment.finish > last->finish) last = &segment, worker = static_cast<std::uint16_t>(i);
  }
  return *last;
}

void Executive::lose(std::size_t worker, const char* because) noexcept {
  lost_.store(because, std::memory_order_relaxed);
  if (apart_) return apart_->end_after(0);
  team_.end_at(team_.macro_steps_of(worker));
  team_.leave(static_cast<std::uint16_t>(worker));
}

/// Nobody computes any more from here on, and what all have ended is counted.
void Executive::end() noexcept {
  team_.end_at(steps_done_);
  team_.leave(0);
  for (std::size_t i = 1; !is_alone_ && i < workers_.size(); ++i)
    while (!team_.has_left(i)) team_.rest();
  for (const Worker& worker : workers_)
    if (worker.finding() != ResultWatch::Finding::none) end_ = End::bad_values;
  if (lost_.load(std::memory_order_relaxed) != nullptr) end_ = End::worker_lost;
  if (!is_alone_) {
    close_what_is_complete();
    steps_done_ = closed_steps_;
    count_busy_of_all();
    exchanges_.deliver();
  }
  observe_all(start_of(steps_done_));
  if (steering_) steering_->end(start_of(steps_done_));
}

}  // namespace takt
