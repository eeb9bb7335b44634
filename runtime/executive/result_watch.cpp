#include "runtime/executive/result_watch.hpp"

#include <algorithm>

namespace takt {
namespace {

const std::uint64_t* bits_at(const PlantDescription& plant, std::size_t offset) {
  return reinterpret_cast<const std::uint64_t*>(plant.memory + offset);
}

bool is_shown(Role role, bool signals) {
  return role == Role::state || role == Role::output || (signals && role == Role::signal);
}

}  // namespace

/// Places of a subsystem in the table of plant memory, neighbours in one range.
void ResultWatch::add_ranges(std::uint16_t subsystem, bool signals) {
  std::vector<std::size_t> offsets;
  for (const MemoryEntry& entry : plant_.all_rows())
    if (entry.subsystem == subsystem && is_shown(entry.role, signals)) offsets.push_back(entry.offset);
  const SubsystemDescription& s = plant_.subsystems[subsystem];
  const auto add = [&](std::size_t offset, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) offsets.push_back(offset + i * sizeof(double));
  };
  add(s.states_offset, s.states);
  add(s.sent_offset, s.fluxes_out);
  add(s.received_offset, s.fluxes_in);
  std::sort(offsets.begin(), offsets.end());
  offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
  const std::size_t first = ranges_.size();
  for (const std::size_t offset : offsets) {
    const std::uint64_t* place = bits_at(plant_, offset);
    if (ranges_.size() > first && ranges_.back().begin + ranges_.back().count == place)
      ++ranges_.back().count;
    else
      ranges_.push_back({place, 1});
  }
}

ResultWatch::ResultWatch(const PlantDescription& plant, std::span<const std::uint16_t> looked_at)
    : plant_(plant),
      looked_at_(looked_at),
      ranges_{{bits_at(plant, plant.inputs_offset), plant.plant_inputs.size()}},
      of_(plant.subsystems.size()) {
  for (const std::uint16_t i : looked_at) {
    const SubsystemDescription& s = plant.subsystems[i];
    const bool shows_later = s.observe != nullptr;
    of_[i].first_always = static_cast<std::uint32_t>(ranges_.size());
    add_ranges(i, !shows_later);
    of_[i].first_observed = static_cast<std::uint32_t>(ranges_.size());
    if (shows_later) add_ranges(i, true);
    of_[i].range_end = static_cast<std::uint32_t>(ranges_.size());
    of_[i].alert = s.alert_offset == no_alert ? nullptr : reinterpret_cast<double*>(plant.memory + s.alert_offset);
    of_[i].first_event = static_cast<std::uint32_t>(events_.size());
    for (const EventDescription& event : s.events)
      events_.push_back(
          {.event = &event, .counter = reinterpret_cast<const double*>(plant.memory + event.offset), .first = {}});
    of_[i].event_end = static_cast<std::uint32_t>(events_.size());
    of_[i].period = SimDuration{std::max<std::int64_t>(1, s.period_ns)};
  }
}

bool ResultWatch::are_finite(std::uint32_t first, std::uint32_t end) const noexcept {
  std::uint64_t any = 0;
  for (std::uint32_t range = first; range < end; ++range)
    for (std::size_t i = 0; i < ranges_[range].count; ++i) any |= sign_if_not_finite(ranges_[range].begin[i]);
  return (any >> 63U) == 0;
}

ResultWatch::Finding ResultWatch::not_finite(std::size_t subsystem) noexcept {
  culprit_ = subsystem;
  return Finding::not_finite;
}

ResultWatch::Finding ResultWatch::after_inputs() noexcept {
  return are_finite(0, 1) ? Finding::none : not_finite(of_.size());
}

ResultWatch::Finding ResultWatch::after_observing(std::size_t subsystem) noexcept {
  const Of& of = of_[subsystem];
  const bool observes = plant_.subsystems[subsystem].observe != nullptr;
  return are_finite(observes ? of.first_observed : of.first_always, of.range_end) ? Finding::none
                                                                                  : not_finite(subsystem);
}

void ResultWatch::begin() noexcept {
  for (EventState& state : events_) state.before = state.seen = *state.counter;
  for (const std::uint16_t i : looked_at_)
    if (of_[i].alert != nullptr) *of_[i].alert = 0.0;
}

void ResultWatch::note_events(SimTime now) noexcept {
  for (const std::uint16_t i : looked_at_)
    if (of_[i].alert != nullptr && *of_[i].alert != 0.0) (void)note_events(i, now);
}

/// Something was counted in the window that ends now.
ResultWatch::Finding ResultWatch::note_events(std::size_t subsystem, SimTime end) noexcept {
  if (unsolved_ != nullptr) return Finding::unsolved;  // what is looked at after the end changes nothing of its cause
  Of& of = of_[subsystem];
  *of.alert = 0.0;
  const auto window = static_cast<std::uint64_t>(end.since_origin() / of.period);
  Finding finding = Finding::none;
  for (std::uint32_t i = of.first_event; i < of.event_end; ++i) {
    EventState& state = events_[i];
    if (*state.counter == state.seen) continue;
    if (state.seen == state.before) {
      state.first = end;
      if (state.event->weight == EventWeight::verdict) ++verdicts_;
    }
    if (window != state.last_window || state.in_a_row == 0)
      state.in_a_row = window == state.last_window + 1 ? state.in_a_row + 1 : 1;
    state.last_window = window;
    state.seen = *state.counter;
    if (state.event->stops_after == 0 || state.in_a_row <= state.event->stops_after) continue;
    unsolved_ = &state;
    culprit_ = subsystem;
    finding = Finding::unsolved;
  }
  return finding;
}

std::string ResultWatch::cause() const {
  if (culprit_ >= of_.size()) {
    for (std::size_t i = 0; i < plant_.plant_inputs.size(); ++i)
      if ((ranges_[0].begin[i] & exponent) == exponent)
        return std::string("the input ") + plant_.plant_inputs[i].path + " is not finite [X007]";
  }
  const SubsystemDescription& s = plant_.subsystems[culprit_];
  if (unsolved_ != nullptr) {
    return std::string(unsolved_->event->text) + " in " + std::to_string(unsolved_->in_a_row) +
           " windows in a row, first at " + std::to_string(unsolved_->first.seconds()) + " s [" +
           unsolved_->event->code + "], in " + s.name;
  }
  std::string names;
  int found = 0;
  for (const Role role : {Role::state, Role::output, Role::signal}) {
    for (const MemoryEntry& entry : plant_.all_rows()) {
      if (entry.subsystem != culprit_ || entry.role != role || (*bits_at(plant_, entry.offset) & exponent) != exponent)
        continue;
      if (++found <= 3) names += (names.empty() ? "" : ", ") + std::string(entry.path);
    }
  }
  if (found > 3) names += " and " + std::to_string(found - 3) + " more";
  return "the solution is no longer finite, first in " + std::string(s.name) +
         (names.empty() ? "" : " (" + names + ")") + " [X007]" + met_before(culprit_);
}

/// What the subsystem met that is not to be trusted: the cause, most likely.
std::string ResultWatch::met_before(std::size_t subsystem) const {
  std::string text;
  for (std::uint32_t i = of_[subsystem].first_event; i < of_[subsystem].event_end; ++i) {
    const EventState& state = events_[i];
    if (state.event->weight == EventWeight::verdict && *state.counter > state.before)
      text += std::string(text.empty() ? "; met before: " : "; ") + state.event->text + " [" + state.event->code + "]";
  }
  return text;
}

std::vector<EventResult> ResultWatch::events(std::size_t subsystem) const {
  std::vector<EventResult> list;
  for (std::uint32_t i = of_[subsystem].first_event; i < of_[subsystem].event_end; ++i) {
    const EventState& state = events_[i];
    const double count = *state.counter - state.before;
    list.push_back({.code = state.event->code,
                    .text = state.event->text,
                    .count = count > 0.0 ? static_cast<std::uint64_t>(count) : 0,
                    .first_s = state.seen > state.before ? state.first.seconds() : -1.0,
                    .verdict = state.event->weight == EventWeight::verdict});
  }
  return list;
}

}  // namespace takt
