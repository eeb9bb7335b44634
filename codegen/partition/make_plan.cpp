#include <filesystem>

#include "codegen/partition/coupled_stability.hpp"
#include "codegen/partition/couplings.hpp"
#include "codegen/partition/plan.hpp"
#include "codegen/partition/settings.hpp"
#include "codegen/partition/window_order.hpp"
#include "codegen/stability/operating_range.hpp"

namespace takt::codegen {

Plan make_plan(const Network& network, const DaeResult& dae, Diagnostics& diagnostics) { return make_plan(network, dae, {}, diagnostics); }

Plan make_plan(const Network& network, const DaeResult& dae, const OperatingRange& range, Diagnostics& diagnostics) {
  Plan plan = arrange_plan(network, dae, linearise(network, dae, range), diagnostics);
  plan.linearised_at = "the start";
  if (!range.rows.empty()) plan.linearised_at += " and " + std::to_string(range.rows.size()) + " points of " + std::filesystem::path(range.file).filename().string();
  if (!diagnostics.has_errors()) check_coupled_stability(plan, network, dae, range, diagnostics);
  return plan;
}

Plan arrange_plan(const Network& network, const DaeResult& dae, const std::vector<Spectrum>& spectra, Diagnostics& diagnostics) {
  Plan plan;
  for (const Surrogate& surrogate : dae.subsystems) {
    PlanSubsystem subsystem;
    subsystem.name = surrogate.name;
    subsystem.domain = surrogate.domain;
    plan.subsystems.push_back(std::move(subsystem));
  }
  choose_groups(plan, network, dae, diagnostics);
  choose_steps(plan, network, dae, spectra, diagnostics);
  const std::vector<Extrapolation> costs = find_couplings(plan, network, dae, diagnostics);
  order_windows(plan, network, dae, costs);
  choose_records(plan, network, dae, diagnostics);
  return plan;
}

}  // namespace takt::codegen
