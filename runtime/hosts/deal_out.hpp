#pragma once
// Which host computes which subsystem, by the names that a rig gives.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace takt::hosts {

/// Of one host: subsystems, with * as in file names, or sync groups; none: what is left.
struct Claim {
  std::string host;
  std::vector<std::string> computes;
};

/// @param names  of each subsystem: its own, then those of the groups around it
/// @return by subsystem, the place of its host in the list
/// @throw std::runtime_error  cause and remedy: names that no subsystem has, a subsystem of two hosts or of none, a
/// host with nothing to compute
[[nodiscard]] std::vector<std::uint16_t> deal_out(std::span<const std::vector<std::string>> names,
                                                  std::span<const Claim> claims);

}  // namespace takt::hosts
