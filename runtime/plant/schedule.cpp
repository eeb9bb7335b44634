#include "runtime/plant/schedule.hpp"

#include <algorithm>
#include <numeric>
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
  Expansion(const PlantDescription& plant, std::span<const GroupPlan> groups, std::vector<Schedule::Slot>& slots)
      : plant_(plant), groups_(groups), slots_(slots) {}

  /// Slots of one H of a group, in the order of the plan; of a group inside, as often as its own H fits.
  void expand(std::span<const WindowPlan> windows, std::uint16_t group, SimDuration start) {
    for (std::size_t i = 0; i < windows.size();) {
      const std::uint16_t inner = child_towards(groups_, windows[i].group, group);
      std::size_t end = i + 1;
      if (inner == group) {
        add_slot(windows[i], start);
      } else {
        while (end < windows.size() && child_towards(groups_, windows[end].group, group) == inner) ++end;
        const SimDuration period{groups_[inner].period_ns}, whole{groups_[group].period_ns};
        for (SimDuration at = start; at < start + whole; at += period) expand(windows.subspan(i, end - i), inner, at);
      }
      i = end;
    }
  }

 private:
  void add_slot(const WindowPlan& window, SimDuration start) {
    const SubsystemDescription& s = plant_.subsystems[window.subsystem];
    slots_.push_back({.run = s.run,
                      .own = plant_.memory + s.offset,
                      .start = start,
                      .step = SimDuration{s.step_ns},
                      .steps = static_cast<std::int32_t>(s.period_ns / s.step_ns),
                      .subsystem = window.subsystem,
                      .touched = s.touched});
  }

  const PlantDescription& plant_;
  std::span<const GroupPlan> groups_;
  std::vector<Schedule::Slot>& slots_;
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
  Expansion(plant, groups, slots_).expand(plant.windows, 0, {});
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
  }
}

SimDuration input_grid(const PlantDescription& plant) {
  std::int64_t grid_ns = 0;
  for (const InputRoute& route : plant.input_routes) {
    const std::int64_t period_ns = plant.subsystems[route.consumer].period_ns;
    grid_ns = std::gcd(grid_ns, period_ns);
  }
  return SimDuration{grid_ns > 0 ? grid_ns : plant.macro_step_ns};
}

}  // namespace takt
