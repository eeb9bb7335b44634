#include "runtime/hosts/host_plan.hpp"

#include <algorithm>
#include <stdexcept>

#include "runtime/hosts/deal_out.hpp"

namespace takt::hosts {
namespace {

std::vector<std::vector<std::string>> names_of(const PlantDescription& plant) {
  std::vector<std::vector<std::string>> names;
  for (const SubsystemDescription& subsystem : plant.subsystems) names.push_back({subsystem.name});
  for (const WindowPlan& window : plant.windows) {
    if (plant.groups.empty()) break;
    for (std::uint16_t group = window.group;; group = plant.groups[group].parent) {
      names[window.subsystem].emplace_back(plant.groups[group].name);
      if (plant.groups[group].parent == group) break;
    }
  }
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
  std::vector<Claim> claims;
  for (const HostSettings& host : settings.list) {
    plan.names.emplace_back(host.name);
    claims.push_back({.host = host.name, .computes = {host.computes.begin(), host.computes.end()}});
  }
  plan.placement = deal_out(names_of(plant), claims);
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
