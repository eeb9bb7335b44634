#include "runtime/hosts/deal_out.hpp"

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

bool is_meant(const std::string& wanted, const std::vector<std::string>& names) {
  return matches(wanted, names.front()) || std::find(names.begin() + 1, names.end(), wanted) != names.end();
}

std::string all_names(std::span<const std::vector<std::string>> names) {
  std::string all;
  for (const auto& one : names) all += (all.empty() ? "" : ", ") + one.front();
  return all;
}

}  // namespace

std::vector<std::uint16_t> deal_out(std::span<const std::vector<std::string>> names, std::span<const Claim> claims) {
  std::vector<std::uint16_t> hosts(names.size(), nobody);
  std::optional<std::uint16_t> rest;
  for (std::uint16_t number = 0; number < claims.size(); ++number) {
    const Claim& claim = claims[number];
    if (claim.computes.empty()) {
      if (rest)
        throw std::runtime_error("hosts " + claims[*rest].host + " and " + claim.host +
                                 " both compute what is left: name for one of them what it computes");
      rest = number;
    }
    for (const std::string& wanted : claim.computes) {
      bool any = false;
      for (std::size_t s = 0; s < names.size(); ++s) {
        if (!is_meant(wanted, names[s])) continue;
        any = true;
        if (hosts[s] != nobody && hosts[s] != number)
          throw std::runtime_error(names[s].front() + " is computed by host " + claims[hosts[s]].host +
                                   " and by host " + claim.host + ": one of them");
        hosts[s] = number;
      }
      if (!any)
        throw std::runtime_error("host " + claim.host + " computes '" + wanted +
                                 "', but the plant has no such subsystem or sync group; its subsystems are " +
                                 all_names(names));
    }
  }
  for (std::size_t s = 0; s < hosts.size(); ++s) {
    if (hosts[s] != nobody) continue;
    if (!rest)
      throw std::runtime_error("no host computes " + names[s].front() +
                               ": one host without 'computes' takes what is left");
    hosts[s] = *rest;
  }
  for (std::uint16_t number = 0; number < claims.size(); ++number)
    if (std::find(hosts.begin(), hosts.end(), number) == hosts.end())
      throw std::runtime_error("host " + claims[number].host + " has nothing to compute: leave it out of the rig");
  return hosts;
}

}  // namespace takt::hosts
