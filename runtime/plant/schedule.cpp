#include "runtime/plant/schedule.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace takt {
namespace {

void require(bool holds, const char* subsystem, const std::string& what) {
  if (!holds) throw std::invalid_argument("plan: " + std::string(subsystem) + ": " + what);
}

void check_groups(const PlantDescription& plant, std::span<const GroupPlan> groups) {
  require(groups[0].period_ns == plant.macro_step_ns && groups[0].parent == 0, groups[0].name,
          "the outermost group does not exchange at the macro-step");
  for (std::size_t i = 1; i < groups.size(); ++i) {
    require(groups[i].parent < i, groups[i].name, "stands before the group it belongs to");
    require(groups[i].period_ns > 0 && groups[groups[i].parent].period_ns % groups[i].period_ns == 0, groups[i].name,
            "its time does not divide that of the group around it");
  }
}

/// The member of `outer` that `group` is or lies in; `outer` itself where they are the same.
std::uint16_t child_towards(std::span<const GroupPlan> groups, std::uint16_t group, std::uint16_t outer) {
  std::uint16_t child = outer;
  for (; group != outer; group = groups[group].parent) {
    child = group;
    if (group == 0)
      throw std::invalid_argument(std::string("plan: windows of group ") + groups[outer].name + " stand apart");
  }
  return child;
}

/// Writes the slots of a plan.
class Expansion {
 public:
  using Slots = std::vector<Schedule::Slot>;
  using Windows = std::span<const WindowPlan>;

  Expansion(const PlantDescription& plant, std::span<const GroupPlan> groups) : plant_(plant), groups_(groups) {}

  /// Slots of one H of a group, in the order of the plan; of a group inside, as often as its own H fits. Groups that
  /// stand beside each other and exchange nothing take turns, so that each keeps to its own grid.
  [[nodiscard]] Slots expand(Windows windows, std::uint16_t group, SimDuration start) const {
    Slots all, beside;           // what stands; and groups that take turns, to be put after it
    std::vector<Windows> turns;  // whose
    const auto put = [&] {
      all.insert(all.end(), beside.begin(), beside.end());
      beside.clear(), turns.clear();
    };
    for (std::size_t i = 0; i < windows.size();) {
      const std::uint16_t inner = child_towards(groups_, windows[i].group, group);
      std::size_t end = i + 1;
      if (inner == group) {
        put();
        all.push_back(slot_of(windows[i], start));
      } else {
        while (end < windows.size() && child_towards(groups_, windows[end].group, group) == inner) ++end;
        const Windows own = windows.subspan(i, end - i);
        const SimDuration period{groups_[inner].period_ns}, whole{groups_[group].period_ns};
        Slots slots;
        for (SimDuration at = start; at < start + whole; at += period) {
          const Slots one = expand(own, inner, at);
          slots.insert(slots.end(), one.begin(), one.end());
        }
        if (std::any_of(turns.begin(), turns.end(), [&](Windows other) { return exchange(own, other); })) put();
        beside = taking_turns(beside, slots);
        turns.push_back(own);
      }
      i = end;
    }
    put();
    return all;
  }

 private:
  [[nodiscard]] bool exchange(Windows a, Windows b) const {
    const auto has = [](Windows windows, std::uint16_t subsystem) {
      return std::any_of(windows.begin(), windows.end(),
                         [&](const WindowPlan& window) { return window.subsystem == subsystem; });
    };
    return std::any_of(plant_.exchanges.begin(), plant_.exchanges.end(), [&](const ExchangePlan& e) {
      return (has(a, e.producer) && has(b, e.consumer)) || (has(b, e.producer) && has(a, e.consumer));
    });
  }

  /// Each in its own order: whoever waits for the earlier release is first, and a before b.
  static Slots taking_turns(const Slots& a, const Slots& b) {
    Slots merged;
    SimDuration of_a, of_b;  // the release that each waits for
    auto next_a = a.begin(), next_b = b.begin();
    while (next_a != a.end() || next_b != b.end()) {
      if (next_a != a.end()) of_a = std::max(of_a, next_a->start);
      if (next_b != b.end()) of_b = std::max(of_b, next_b->start);
      const bool takes_a = next_b == b.end() || (next_a != a.end() && of_a <= of_b);
      merged.push_back(takes_a ? *next_a++ : *next_b++);
    }
    return merged;
  }

  [[nodiscard]] Schedule::Slot slot_of(const WindowPlan& window, SimDuration start) const {
    const SubsystemDescription& s = plant_.subsystems[window.subsystem];
    return {.run = s.run,
            .own = plant_.memory + s.offset,
            .start = start,
            .step = SimDuration{s.step_ns},
            .steps = static_cast<std::int32_t>(s.period_ns / s.step_ns),
            .subsystem = window.subsystem,
            .touched = s.touched,
            .due = {},
            .foreign = s.foreign};
  }

  const PlantDescription& plant_;
  std::span<const GroupPlan> groups_;
};

}  // namespace

Schedule::Schedule(const PlantDescription& plant) {
  if (plant.macro_step_ns <= 0) throw std::invalid_argument("plan: the macro-step is not above zero");
  const GroupPlan whole{.name = plant.name, .parent = 0, .period_ns = plant.macro_step_ns};
  const std::span<const GroupPlan> groups = plant.groups.empty() ? std::span(&whole, 1) : plant.groups;
  check_groups(plant, groups);
  std::vector<int> planned(plant.subsystems.size(), 0);
  for (const WindowPlan& window : plant.windows) {
    if (window.subsystem >= plant.subsystems.size()) throw std::invalid_argument("plan: a window of no subsystem");
    const SubsystemDescription& s = plant.subsystems[window.subsystem];
    require(++planned[window.subsystem] == 1, s.name, "planned twice");
    require(window.core == 0, s.name, "several cores are not served yet");
    require(window.group < groups.size(), s.name, "its group does not exist");
    require(window.period_ns == s.period_ns && window.period_ns == groups[window.group].period_ns, s.name,
            "its window is not the time of its group");
    require(s.step_ns > 0 && s.period_ns % s.step_ns == 0, s.name, "its step does not divide its window");
    require(window.offset_ns == 0, s.name, "an offset is not served yet");
  }
  for (std::size_t i = 0; i < planned.size(); ++i) require(planned[i] == 1, plant.subsystems[i].name, "has no window");
  slots_ = Expansion(plant, groups).expand(plant.windows, 0, {});
  std::vector<bool> seen(plant.subsystems.size(), false);
  for (auto slot = slots_.rbegin(); slot != slots_.rend(); ++slot) {
    slot->last = !seen[slot->subsystem];
    seen[slot->subsystem] = true;
  }
  find_instants(plant);
}

void Schedule::find_instants(const PlantDescription& plant) {
  const SimDuration whole{plant.macro_step_ns};
  std::vector<SimDuration> starts{SimDuration{}};
  for (const Slot& slot : slots_) starts.push_back(slot.start);
  std::sort(starts.begin(), starts.end());
  starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
  for (std::size_t i = 0; i < starts.size(); ++i)
    instants_.push_back({.start = starts[i],
                         .until_next = (i + 1 < starts.size() ? starts[i + 1] : whole) - starts[i],
                         .takes_inputs = i == 0});
  std::vector<bool> reads(plant.subsystems.size(), false);
  for (const InputRoute& route : plant.input_routes) reads[route.consumer] = true;
  std::uint32_t opened = 1;
  for (Slot& slot : slots_) {
    slot.instant =
        static_cast<std::uint32_t>(std::lower_bound(starts.begin(), starts.end(), slot.start) - starts.begin());
    slot.opens = opened = std::max(opened, slot.instant + 1);
    slot.reads_inputs = reads[slot.subsystem];
    if (slot.reads_inputs) instants_[slot.instant].takes_inputs = true;
    slot.due = due_of(slot, slot.opens);
  }
}

SimDuration Schedule::due_of(const Slot& slot, std::uint32_t opened) const noexcept {
  const Instant& last = instants_[opened - 1];
  return std::max(slot.start + slot.step * slot.steps, last.start + last.until_next);
}

SimTime Schedule::next_taking(SimTime time) const noexcept {
  const SimDuration macro_step = instants_.back().start + instants_.back().until_next;
  const SimDuration within = time.since_origin() % macro_step;
  const SimTime begin = time - within;
  for (const Instant& instant : instants_)
    if (instant.takes_inputs && instant.start >= within) return begin + instant.start;
  return begin + macro_step;
}

}  // namespace takt
