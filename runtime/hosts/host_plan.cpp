#include "runtime/hosts/host_plan.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace takt::hosts {
namespace {

constexpr std::uint16_t nobody = 0xffff;

/// '*' stands for any characters.
bool matches(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  if (name.substr(0, star) != pattern.substr(0, star)) return false;
  for (std::size_t at = star; at <= name.size(); ++at)
    if (matches(pattern.substr(star + 1), name.substr(at))) return true;
  return false;
}

bool is_within(const PlantDescription& plant, std::uint16_t group, std::string_view name) {
  for (;; group = plant.groups[group].parent) {
    if (name == plant.groups[group].name) return true;
    if (plant.groups[group].parent == group) return false;
  }
}

std::vector<std::uint16_t> subsystems_of(const PlantDescription& plant, std::string_view wanted) {
  std::vector<std::uint16_t> found;
  for (std::size_t i = 0; i < plant.subsystems.size(); ++i)
    if (matches(wanted, plant.subsystems[i].name)) found.push_back(static_cast<std::uint16_t>(i));
  for (const WindowPlan& window : plant.windows)
    if (!plant.groups.empty() && is_within(plant, window.group, wanted)) found.push_back(window.subsystem);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::string all_names(const PlantDescription& plant) {
  std::string names;
  for (const SubsystemDescription& s : plant.subsystems) names += (names.empty() ? "" : ", ") + std::string(s.name);
  return names;
}

}  // namespace

std::vector<bool> HostPlan::elsewhere() const {
  std::vector<bool> elsewhere(names.size(), true);
  elsewhere[own] = false;
  return elsewhere;
}

HostPlan plan_hosts(const PlantDescription& plant, const HostsSettings& settings, std::string_view own) {
  HostPlan plan;
  std::optional<std::uint16_t> rest;
  plan.placement.assign(plant.subsystems.size(), nobody);
  for (const HostSettings& host : settings.list) {
    const auto number = static_cast<std::uint16_t>(plan.names.size());
    plan.names.emplace_back(host.name);
    if (host.computes.empty()) {
      if (rest)
        throw std::runtime_error("hosts " + plan.names[*rest] + " and " + host.name +
                                 " both compute what is left: name for one of them what it computes");
      rest = number;
    }
    for (const char* wanted : host.computes) {
      const auto found = subsystems_of(plant, wanted);
      if (found.empty())
        throw std::runtime_error("host " + plan.names.back() + " computes '" + wanted +
                                 "', but the plant has no such subsystem or sync group; its subsystems are " +
                                 all_names(plant));
      for (const std::uint16_t s : found) {
        if (plan.placement[s] != nobody && plan.placement[s] != number)
          throw std::runtime_error(std::string(plant.subsystems[s].name) + " is computed by host " +
                                   plan.names[plan.placement[s]] + " and by host " + host.name + ": one of them");
        plan.placement[s] = number;
      }
    }
  }
  for (std::size_t s = 0; s < plan.placement.size(); ++s) {
    if (plan.placement[s] != nobody) continue;
    if (!rest)
      throw std::runtime_error(std::string("no host computes ") + plant.subsystems[s].name +
                               ": one host without 'computes' takes what is left");
    plan.placement[s] = *rest;
  }
  for (std::size_t host = 0; host < plan.names.size(); ++host)
    if (std::find(plan.placement.begin(), plan.placement.end(), host) == plan.placement.end())
      throw std::runtime_error("host " + plan.names[host] + " has nothing to compute: leave it out of the rig");
  if (own.empty()) return plan;
  const auto found = std::find(plan.names.begin(), plan.names.end(), own);
  if (found == plan.names.end()) {
    std::string names;
    for (const std::string& name : plan.names) names += (names.empty() ? "" : ", ") + name;
    throw std::runtime_error("the rig has no host '" + std::string(own) + "'; it has " + names);
  }
  plan.own = static_cast<std::size_t>(found - plan.names.begin());
  return plan;
}

}  // namespace takt::hosts
