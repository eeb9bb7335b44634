#include "codegen/partition/coupled_stability.hpp"
#include "codegen/partition/couplings.hpp"
#include "codegen/partition/plan.hpp"
#include "codegen/partition/settings.hpp"
#include "codegen/partition/window_order.hpp"

namespace takt::codegen {

Plan make_plan(const Network& network, const DaeResult& dae, Diagnostics& diagnostics) {
  Plan plan;
  for (const Surrogate& surrogate : dae.subsystems) {
    PlanSubsystem subsystem;
    subsystem.name = surrogate.name;
    subsystem.domain = surrogate.domain;
    plan.subsystems.push_back(std::move(subsystem));
  }
  choose_groups(plan, network, dae, diagnostics);
  choose_steps(plan, network, dae, linearise(network, dae), diagnostics);
  const std::vector<Extrapolation> costs = find_couplings(plan, network, dae, diagnostics);
  order_windows(plan, network, dae, costs);
  if (!diagnostics.has_errors()) check_coupled_stability(plan, network, dae, diagnostics);
  choose_records(plan, network, dae, diagnostics);
  return plan;
}

}  // namespace takt::codegen
