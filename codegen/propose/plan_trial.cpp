#include "codegen/propose/plan_trial.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "codegen/partition/stable_steps.hpp"
#include "codegen/trial/equation_models.hpp"

namespace takt::codegen {

Trial try_plan(const Plan& plan, const Network& network, const DaeResult& dae, const TrialRuns& runs) {
  Trial trial;
  std::vector<double> now(runs.watched.size());
  Watches watches;
  for (std::size_t k = 0; k < now.size(); ++k) watches.emplace_back(runs.watched[k], &now[k]);
  for (SymbolValues values : runs.begins) {
    for (std::size_t k = 0; k < now.size(); ++k) now[k] = values[static_cast<std::size_t>(runs.watched[k])];
    PlanRun run(plan, equation_models(plan, {network, dae}, values, watches), false);
    while (run.now_ns() < runs.duration_ns && trial.finite) {
      run.macro_step();
      if (run.now_ns() % runs.sample_ns != 0) continue;
      trial.finite = std::all_of(now.begin(), now.end(), [](double value) { return std::isfinite(value); });
      trial.rows.push_back(now);
    }
  }
  return trial;
}

TrialError difference(const Trial& trial, const Trial& reference, const TrialRuns& runs) {
  if (!trial.finite || trial.rows.size() != reference.rows.size() || trial.rows.empty())
    return {std::numeric_limits<double>::infinity(), 0};
  TrialError error;
  for (std::size_t k = 0; k < runs.watched.size(); ++k) {
    if (runs.scale[k] == 0.0) continue;
    double sum = 0.0;
    for (std::size_t row = 0; row < reference.rows.size(); ++row) {
      const double off = trial.rows[row][k] - reference.rows[row][k];
      sum += off * off;
    }
    const double nrms = std::sqrt(sum / static_cast<double>(reference.rows.size())) / runs.scale[k];
    if (nrms > error.nrms) error = {nrms, k};
  }
  return error;
}

double cost_of(const Plan& plan, const Network& network, const DaeResult& dae, const std::vector<Spectrum>& spectra) {
  constexpr double exchange = 30.0, window = 50.0;  // operations
  const SolveSetting none;
  double sum = 0.0;
  for (std::size_t index = 0; index < plan.subsystems.size(); ++index) {
    const PlanSubsystem& subsystem = plan.subsystems[index];
    const Surrogate& surrogate = dae.subsystems[index];
    const double period_s = static_cast<double>(subsystem.period_ns) * 1e-9;
    by_kind(
        surrogate.kind,
        [&](const SmoothCircuit&) {
          sum += window / period_s;
          sum += cost_of_step(subsystem.method, subsystem.stages, {network, surrogate, spectra[index], none}) /
                 (static_cast<double>(subsystem.step_ns) * 1e-9);
        },
        [](const SwitchedCircuit&) {},                           // its micro-steps are the same in every plan
        [&](const ControlTask&) { sum += window / period_s; });  // and so are its blocks
  }
  for (const PlanCoupling& coupling : plan.couplings)
    sum += exchange / (static_cast<double>(plan.groups[coupling.group].period_ns) * 1e-9);
  return sum;
}

}  // namespace takt::codegen
