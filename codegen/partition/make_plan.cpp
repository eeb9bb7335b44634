#include "codegen/partition/couplings.hpp"
#include "codegen/partition/evaluation_order.hpp"
#include "codegen/partition/plan.hpp"
#include "codegen/partition/settings.hpp"

namespace takt::codegen {
namespace {

/// Evaluation order, and lag and order of each coupling from it.
void order_windows(Plan& plan, const std::vector<Extrapolation>& costs) {
  std::vector<Dependency> dependencies;
  for (std::size_t index = 0; index < plan.couplings.size(); ++index) {
    const PlanCoupling& coupling = plan.couplings[index];
    dependencies.push_back({coupling.producer, coupling.consumer, costs[index].penalty});
  }
  plan.order = evaluation_order(plan.subsystems.size(), dependencies).order;
  std::vector<std::size_t> position(plan.order.size());
  for (std::size_t place = 0; place < plan.order.size(); ++place) position[plan.order[place]] = place;
  for (std::size_t index = 0; index < plan.couplings.size(); ++index) {
    PlanCoupling& coupling = plan.couplings[index];
    coupling.lag = position[coupling.producer] > position[coupling.consumer] ? 1 : 0;
    coupling.order = exchange_order(plan, coupling);
    if (coupling.lag == 1) coupling.reason = costs[index].reason;
  }
}

}  // namespace

Plan make_plan(const Network& network, const DaeResult& dae, Diagnostics& diagnostics) {
  Plan plan;
  for (const Surrogate& surrogate : dae.subsystems) {
    PlanSubsystem subsystem;
    subsystem.name = surrogate.name;
    subsystem.domain = surrogate.domain;
    plan.subsystems.push_back(std::move(subsystem));
  }
  choose_groups(plan, network, dae, diagnostics);
  choose_steps(plan, network, dae, diagnostics);
  const std::vector<Extrapolation> costs = find_couplings(plan, network, dae, diagnostics);
  order_windows(plan, costs);
  choose_records(plan, network, dae, diagnostics);
  return plan;
}

}  // namespace takt::codegen
