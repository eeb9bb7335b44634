#include "runtime/hosts/own_view.hpp"

#include <algorithm>

namespace takt::hosts {
namespace {

constexpr std::uint16_t of_the_plant = 0xffff;
constexpr std::uint32_t none = static_cast<std::uint32_t>(-1);

/// By index of the parameter: a subsystem of another host uses it.
std::vector<bool> used_elsewhere(const PlantDescription& plant, const HostPlan& plan) {
  std::vector<bool> used;
  for (std::size_t s = 0; s < plant.subsystems.size(); ++s) {
    if (plan.placement[s] == plan.own) continue;
    for (const std::uint32_t parameter : plant.subsystems[s].parameters) {
      if (parameter >= used.size()) used.resize(parameter + 1);
      used[parameter] = true;
    }
  }
  return used;
}

}  // namespace

OwnView::OwnView(const PlantDescription& plant, const HostPlan& plan) {
  const std::vector<bool> used = used_elsewhere(plant, plan);
  const auto is_elsewhere = [&](std::size_t parameter) { return parameter < used.size() && used[parameter]; };
  const auto is_own = [&](const MemoryEntry& entry) {
    if (entry.role == Role::parameter)
      return entry.offset < plant.parameters_offset ||
             !is_elsewhere((entry.offset - plant.parameters_offset) / sizeof(double));
    if (entry.role == Role::plant_input) return plan.leads();
    return entry.subsystem == of_the_plant || plan.placement[entry.subsystem] == plan.own;
  };
  for (std::uint16_t s = 0; s < plan.placement.size(); ++s)
    if (plan.placement[s] != plan.own) elsewhere_.push_back(s);
  std::vector<std::uint32_t> place(plant.table.size(), none);
  for (std::size_t i = 0; i < plant.table.size(); ++i) {
    if (!is_own(plant.table[i])) continue;
    place[i] = static_cast<std::uint32_t>(table_.size());
    table_.push_back(plant.table[i]);
  }
  for (const RecordPlan& record : plant.records) {
    std::vector<std::uint32_t> entries;
    for (const std::uint32_t entry : record.entries)
      if (place[entry] != none) entries.push_back(place[entry]);
    entries_.push_back(std::move(entries));
  }
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if (!entries_[i].empty()) records_.push_back({plant.records[i].period_ns, entries_[i]});
  for (const FaultDescription& fault : plant.faults)
    if (std::none_of(fault.changes.begin(), fault.changes.end(), [&](const FaultChange& change) {
          return is_elsewhere(change.parameter) || (change.of != FaultChange::none && is_elsewhere(change.of));
        }))
      faults_.push_back(fault);
}

}  // namespace takt::hosts
