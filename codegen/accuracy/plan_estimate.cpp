#include "codegen/accuracy/plan_estimate.hpp"

#include <algorithm>
#include <cmath>

namespace takt::codegen {
namespace {

constexpr double enough_nearer =
    0.5;  // of the error: what the plan with a fifth of the times may have left
constexpr double nothing = 0.2;  // of the error asked for: whoever is this close converges

/// What an estimate reaches of the run: several times as far where few known instants lie there.
double reach_of(const PlanTimesSpace& space, const std::vector<PlanTimes>& plans,
                const SearchOptions& options) {
  constexpr double further = 5.0;
  const double usual = duration_of(space, plans, options);
  if (!options.later || usual >= options.duration_s) return usual;
  const std::vector<double> later = options.later(usual);
  const double most = std::min(options.duration_s, further * usual);
  const auto beyond = std::lower_bound(later.begin(), later.end(), most);
  if (beyond == later.begin() || later.size() > few_instants) return usual;
  return std::min(most, *std::prev(beyond) + usual);  // what happens there takes its time, too
}

}  // namespace

Worst worst_of(const std::vector<double>& errors) {
  Worst worst;
  for (std::size_t i = 0; i < errors.size(); ++i)
    if (!(errors[i] <= worst.error)) worst = {errors[i], i};
  return worst;
}

bool is_refused(const TrialAnswer& answer, std::size_t plan) {
  return !answer.verdicts.empty() && !answer.verdicts[plan].empty() &&
         answer.verdicts.back().empty();
}

PlanEstimate estimate_of(const TrialAnswer& answer, std::size_t plan, std::size_t fifth,
                         double asked) {
  PlanEstimate estimate;
  const Worst worst = worst_of(answer.to_last[plan]);
  estimate.error = worst.error;
  if (!answer.signals.empty()) estimate.signal = answer.signals[worst.signal];
  estimate.finer = worst_of(answer.to_last[fifth]).error;
  if (is_refused(answer, plan)) estimate.verdict = answer.verdicts[plan];
  if (!answer.verdicts.empty()) estimate.finest_verdict = answer.verdicts.back();
  estimate.converges = estimate.finer <= std::max(enough_nearer * worst.error, nothing * asked);
  estimate.covered_s = answer.covered_s;
  if (plan < answer.compute_s.size() && answer.covered_s > 0.0)
    estimate.compute = answer.compute_s[plan] / answer.covered_s;
  return estimate;
}

bool is_met(const PlanEstimate& estimate, const SearchOptions& options) {
  return estimate.converges && estimate.verdict.empty() && estimate.error <= options.error;
}

double duration_of(const PlanTimesSpace& space, const std::vector<PlanTimes>& plans,
                   const SearchOptions& options) {
  double work = 0.0;
  for (const PlanTimes& plan : plans) work += space.work(plan);
  return std::min(options.duration_s, options.work / work);
}

std::optional<Sensitivity> sensitivity(const PlanTimesSpace& space, const PlanTimes& times,
                                       const TryPlans& try_plans, const SearchOptions& options) {
  std::vector<PlanTimes> plans{times, times};
  plans.back().nudge = nudged;
  const TrialAnswer answer = try_plans(plans, reach_of(space, plans, options));
  if (!answer.problem.empty() || answer.to_first.back().empty()) return std::nullopt;
  const std::vector<double>& moved = answer.to_first.back();
  const auto most = std::max_element(moved.begin(), moved.end());
  constexpr double usual = 1e3;  // growth that steps cope with
  if (!(*most > usual * nudged) || !std::isfinite(*most)) return std::nullopt;
  return Sensitivity{*most, answer.signals[static_cast<std::size_t>(most - moved.begin())]};
}

PlanEstimate estimate(const PlanTimesSpace& space, const PlanTimes& times,
                      const TryPlans& try_plans, const SearchOptions& options) {
  const std::vector<PlanTimes> plans{times, space.divided(times, finer),
                                     space.divided(times, finest)};
  const TrialAnswer answer = try_plans(plans, reach_of(space, plans, options));
  PlanEstimate found;
  if (answer.problem.empty()) found = estimate_of(answer, 0, 1, options.error);
  found.problem = answer.problem;
  return found;
}

}  // namespace takt::codegen
