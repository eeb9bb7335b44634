#include "codegen/partition/make_plan.hpp"

#include <algorithm>
#include <filesystem>

#include "codegen/partition/steps.hpp"
#include "codegen/plan/couplings.hpp"
#include "codegen/plan/groups.hpp"
#include "codegen/plan/plan.hpp"
#include "codegen/plan/records.hpp"
#include "codegen/plan/travel_delays.hpp"
#include "codegen/plan/window_order.hpp"
#include "codegen/stability/operating_range.hpp"
#include "codegen/text/quantity.hpp"
#include "codegen/trial/coupled_stability.hpp"

namespace takt::codegen {
namespace {

std::string points_text(const OperatingRange& range, const Outlook& outlook) {
  const Scouted& scouted = outlook.scouted;
  std::string text = "the start";
  if (!range.rows.empty())
    text += " and " + std::to_string(range.rows.size()) + " points of " +
            std::filesystem::path(range.file).filename().string();
  if (!scouted.points.empty())
    text += "; what is proposed also at " + std::to_string(scouted.points.size()) +
            " points of a trial run over " + rounded_text(scouted.until_s, "s") +
            (scouted.problem.empty() ? "" : ": " + scouted.problem);
  return text;
}

}  // namespace

/// By the start alone: where the plant goes is not looked at.
Plan make_plan(const Network& network, const DaeResult& dae, Diagnostics& diagnostics) {
  Plan plan = arrange_plan(network, dae, {.spectra = linearise(network, dae)}, diagnostics);
  plan.linearised_at = "the start";
  if (!diagnostics.has_errors()) check_coupled_stability(plan, {network, dae}, {}, diagnostics);
  return plan;
}

Plan make_plan(const Network& network, const DaeResult& dae, const OperatingRange& range,
               Diagnostics& diagnostics) {
  const std::vector<Spectrum> spectra = linearise(network, dae, range);
  const Outlook outlook = look_ahead(network, dae);
  std::vector<Spectrum> ahead = spectra;
  linearise_ahead(ahead, {network, dae}, outlook.scouted.path, outlook.scouted.points);
  Plan plan = arrange_plan(network, dae, {.spectra = spectra, .ahead = &ahead, .outlook = &outlook},
                           diagnostics);
  plan.linearised_at = points_text(range, outlook);
  if (!diagnostics.has_errors()) check_coupled_stability(plan, {network, dae}, range, diagnostics);
  return plan;
}

Plan arrange_plan(const Network& network, const DaeResult& dae, const StepEvidence& evidence,
                  Diagnostics& diagnostics) {
  Plan plan;
  for (const Surrogate& surrogate : dae.subsystems) {
    PlanSubsystem subsystem;
    subsystem.name = surrogate.name;
    subsystem.domain = surrogate.domain;
    subsystem.events = surrogate.events.size();
    for (const std::uint32_t event : surrogate.events)
      for (const StateEvent::Set& set : network.events[event].sets)
        subsystem.jumping.push_back(set.symbol);
    std::sort(subsystem.jumping.begin(), subsystem.jumping.end());
    plan.subsystems.push_back(std::move(subsystem));
  }
  choose_groups(plan, network, dae, diagnostics);
  choose_steps(plan, {network, dae}, evidence, diagnostics);
  const std::vector<Extrapolation> costs = find_couplings(plan, network, dae, diagnostics);
  order_windows(plan, network, dae, costs);
  plan_delays(plan, network, diagnostics);
  choose_records(plan, network, dae, diagnostics);
  return plan;
}

}  // namespace takt::codegen
