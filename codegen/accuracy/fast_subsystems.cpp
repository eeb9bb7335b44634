#include "codegen/accuracy/fast_subsystems.hpp"

#include <algorithm>
#include <cmath>

namespace takt::codegen {
namespace {

bool carries_heat(CircuitDomain domain) {
  return domain == CircuitDomain::solid || domain == CircuitDomain::fluid ||
         domain == CircuitDomain::gas;
}

}  // namespace

std::vector<std::vector<std::size_t>> fast_subsystems(const Plan& plan) {
  constexpr double near = 1.0 / 30.0;
  if (plan.groups.size() != 1) return {};
  double fastest = 0.0;
  for (const PlanSubsystem& s : plan.subsystems)
    if (s.stability.known) fastest = std::max(fastest, std::abs(s.stability.eigenvalue));
  std::vector<std::size_t> by_modes, by_domain;
  std::size_t circuits = 0;
  for (std::size_t k = 0; k < plan.subsystems.size(); ++k) {
    const PlanSubsystem& s = plan.subsystems[k];
    if (s.method->is_sampled()) continue;
    ++circuits;
    const bool fast = !s.stability.known || std::abs(s.stability.eigenvalue) >= near * fastest;
    if (fast) by_modes.push_back(k);
    if (fast || !carries_heat(s.domain)) by_domain.push_back(k);
  }
  std::vector<std::vector<std::size_t>> sets{by_modes};
  if (by_domain != by_modes) sets.push_back(by_domain);
  std::erase_if(sets, [&](const auto& set) { return set.empty() || set.size() == circuits; });
  return sets;
}

}  // namespace takt::codegen
