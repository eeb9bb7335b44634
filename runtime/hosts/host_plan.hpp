#pragma once
// Which of several hosts computes which subsystems.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/executive/work_plan.hpp"
#include "runtime/plant/description.hpp"
#include "runtime/plant/rig_settings.hpp"

namespace takt::hosts {

/// One worker on each host, in the order of the rig; the first leads.
struct HostPlan {
  std::vector<std::string> names;
  Placement placement;  ///< by subsystem, its host
  std::size_t own = 0;  ///< which of them this process is
  [[nodiscard]] bool leads() const noexcept { return own == 0; }
  /// By worker: another host computes it.
  [[nodiscard]] std::vector<bool> elsewhere() const;
};

/// @param own  name of this host; empty: the first
/// @throw std::runtime_error  cause and remedy: an unknown host, names that the plant does not have, a subsystem of two
/// hosts or of none, a host with nothing to compute
[[nodiscard]] HostPlan plan_hosts(const PlantDescription& plant, const HostsSettings& settings, std::string_view own);

}  // namespace takt::hosts
