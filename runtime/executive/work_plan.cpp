#include "runtime/executive/work_plan.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "runtime/coupling/exchange.hpp"

namespace takt {

std::vector<Precedence> precedences(const PlantDescription& plant, const Schedule& schedule) {
  std::vector<std::vector<std::uint32_t>> of(plant.subsystems.size());
  for (std::uint32_t i = 0; i < schedule.slots().size(); ++i) of[schedule.slots()[i].subsystem].push_back(i);
  std::vector<Precedence> all;
  for (const ExchangePlan& exchange : plant.exchanges) {
    if (exchange.producer == exchange.consumer) continue;
    const std::int64_t h = exchange.period_ns > 0 ? exchange.period_ns : plant.macro_step_ns;
    const std::int64_t messages = plant.macro_step_ns / h, depth = Exchanges::mail_depth(messages);
    const auto& sender = of[exchange.producer];
    const auto& receiver = of[exchange.consumer];
    const std::size_t sent_per_h = sender.size() / static_cast<std::size_t>(messages);
    const std::size_t taken_per_h = receiver.size() / static_cast<std::size_t>(messages);
    // The slot that begins H number i, and how many macro-steps before or after this one it is.
    const auto taken = [&](std::int64_t i) {
      const std::int64_t step = i >= 0 ? i / messages : -((messages - 1 - i) / messages);
      return std::pair{receiver[static_cast<std::size_t>(i - step * messages) * taken_per_h], step};
    };
    for (std::int64_t i = 0; i < messages; ++i) {
      const std::uint32_t sends = sender[static_cast<std::size_t>(i + 1) * sent_per_h - 1];
      const auto [takes, later] = taken(i + exchange.lag);
      all.push_back({.before = sends, .after = takes, .earlier = static_cast<std::uint32_t>(later)});
      const auto [freed, when] = taken(i + exchange.lag - depth);
      all.push_back(
          {.before = freed, .after = sends, .earlier = static_cast<std::uint32_t>(-when), .carries_values = false});
    }
  }
  return all;
}

WorkPlan::WorkPlan(const PlantDescription& plant, const Schedule& schedule, const Placement& placement)
    : placement_(placement) {
  if (placement_.size() != plant.subsystems.size()) throw std::invalid_argument("placement: not of this plant");
  std::uint16_t workers = 1;
  for (const std::uint16_t worker : placement_) workers = std::max<std::uint16_t>(workers, worker + 1);
  parts_.resize(workers);
  for (std::uint16_t s = 0; s < placement_.size(); ++s) parts_[placement_[s]].subsystems.push_back(s);
  for (const Part& part : parts_)
    if (part.subsystems.empty() && !placement_.empty())
      throw std::invalid_argument("placement: a worker without anything to do");
  const std::vector<Precedence> all = workers > 1 ? precedences(plant, schedule) : std::vector<Precedence>{};
  share_out(schedule, all);
  add_waits(all, schedule);
}

/// Only what a worker itself has waited for holds it back. The leader opens the instants for all, so it opens what its
/// own slots need to have been computed before it waits for that.
void WorkPlan::share_out(const Schedule& schedule, const std::vector<Precedence>& all) {
  const auto& instants = schedule.instants();
  std::vector<std::vector<std::uint32_t>> needs(schedule.slots().size());
  for (const Precedence& precedence : all)
    if (precedence.earlier == 0) needs[precedence.after].push_back(precedence.before);
  std::vector<std::uint32_t> opened(needs.size(), 1), of_worker(parts_.size(), 1);  // instants, when a slot can run
  const SimDuration whole = instants.back().start + instants.back().until_next;
  for (Part& part : parts_) part.deadlines.assign(instants.size(), whole);
  for (std::size_t i = 0; i < needs.size(); ++i) {
    const Schedule::Slot& slot = schedule.slots()[i];
    const std::uint16_t worker = placement_[slot.subsystem];
    opened[i] = std::max(of_worker[worker], slot.instant + 1);
    for (const std::uint32_t before : needs[i]) opened[i] = std::max(opened[i], opened[before]);
    of_worker[worker] = opened[i];
    Part& part = parts_[worker];
    place_of_.push_back(static_cast<std::uint32_t>(part.slots.size()));
    Schedule::Slot own = slot;
    own.opens = worker == 0 ? opened[i] : std::max(part.slots.empty() ? 1 : part.slots.back().opens, slot.instant + 1);
    own.due = schedule.due_of(slot, opened[i]);
    SimDuration& deadline = part.deadlines[own.opens - 1];
    deadline = std::min(deadline, own.due);
    part.slots.push_back(own);
    part.order.push_back(static_cast<std::uint32_t>(i));
  }
  for (Part& part : parts_) {
    part.due.assign(instants.size() + 1, 0);
    for (std::uint32_t i = 0; i < part.slots.size(); ++i) {  // the first instant by which it must have ended
      const auto instant = std::lower_bound(instants.begin(), instants.end(), part.slots[i].due,
                                            [](const auto& a, SimDuration due) { return a.start < due; });
      part.due[static_cast<std::size_t>(instant - instants.begin())] = i + 1;
    }
    for (std::size_t i = 1; i < part.due.size(); ++i) part.due[i] = std::max(part.due[i], part.due[i - 1]);
  }
}

void WorkPlan::add_waits(const std::vector<Precedence>& all, const Schedule& schedule) {
  std::vector<std::vector<Wait>> needed(schedule.slots().size());
  for (const Precedence& precedence : all) {
    const std::uint16_t other = placement_[schedule.slots()[precedence.before].subsystem];
    if (other == placement_[schedule.slots()[precedence.after].subsystem]) continue;
    const auto in_macro_step = static_cast<std::int64_t>(parts_[other].slots.size());
    needed[precedence.after].push_back(
        {other, place_of_[precedence.before] + 1 - in_macro_step * static_cast<std::int64_t>(precedence.earlier)});
  }
  // What has been waited for in this macro-step need not be waited for again.
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();
  std::vector<std::vector<std::int64_t>> known(parts_.size(), std::vector<std::int64_t>(parts_.size(), none));
  for (std::size_t i = 0; i < needed.size(); ++i) {
    const std::uint16_t worker = placement_[schedule.slots()[i].subsystem];
    Part& part = parts_[worker];
    part.first_wait.push_back(static_cast<std::uint32_t>(part.waits.size()));
    std::sort(needed[i].begin(), needed[i].end(), [](const Wait& a, const Wait& b) { return a.slots > b.slots; });
    for (const Wait& wait : needed[i]) {
      if (wait.slots <= known[worker][wait.worker]) continue;
      known[worker][wait.worker] = wait.slots;
      part.waits.push_back(wait);
    }
  }
  for (Part& part : parts_) part.first_wait.push_back(static_cast<std::uint32_t>(part.waits.size()));
}

}  // namespace takt
