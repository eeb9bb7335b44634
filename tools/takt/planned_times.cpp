#include "tools/takt/planned_times.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>

#include "tools/takt/plan_settings.hpp"
#include "tools/takt/temporary_file.hpp"
#include "tools/takt/trial_process.hpp"

namespace takt::tools {
namespace {

using namespace takt::codegen;

constexpr double usual_duration_s = 1.0;

double duration_of(const PlanWish& wish, const Network& network) {
  if (wish.duration_s > 0.0) return wish.duration_s;
  return network.default_duration_ns ? static_cast<double>(*network.default_duration_ns) * 1e-9 : usual_duration_s;
}

std::string number(double error) { return std::isfinite(error) ? fmt::format("{:.2g}", error) : "beyond all bounds"; }

/// A plan that the generator refuses is none, however well it did in trials: it sees what recorded samples do not.
bool passes(const BuiltPlant& plant, const PlanTimes& times) {
  const TemporaryFile file(plan_settings(plant.checked, {.title = "tried", .times = times}));
  PlantBuild request = plant.request;
  request.solve = file.path();
  return is_accepted(request);
}

PlanSearch sought(const BuiltPlant& plant, const TryPlans& trials, const SearchOptions& options) {
  const Checked& checked = plant.checked;
  const PlantEquations equations{checked.network, checked.dae};
  PlanSearch found = search_times(equations, checked.plan, trials, options);
  if (!found.problem.empty() || passes(plant, found.times)) return found;
  SearchOptions only_shorter = options;
  only_shorter.may_lengthen = false;
  found = search_times(equations, checked.plan, trials, only_shorter);
  if (found.problem.empty() && !passes(plant, found.times)) found.problem = "the plan that trials find is refused";
  return found;
}

PlanSearch searched(const BuiltPlant& plant, const PlanWish& wish, const SearchOptions& options) {
  const Checked& checked = plant.checked;
  for (const PlanSubsystem& subsystem : checked.plan.subsystems)
    if (subsystem.method->is_offline()) {
      PlanSearch none;
      none.problem = subsystem.name + " chooses its steps itself: they are no part of a plan";
      return none;
    }
  const PlanTimesSpace space({checked.network, checked.dae}, checked.plan);
  constexpr std::int64_t finest = 10;
  if (space.divided(space.times(), finest) == space.times()) {  // it would be compared with itself
    PlanSearch none;
    none.problem = "its times have no parts, so there is no finer plan to compare with";
    return none;
  }
  const TryPlans trials = trials_of(plant);
  if (!wish.keep) return sought(plant, trials, options);
  PlanSearch found;
  found.times = space.times();
  found.given_work = found.found_work = space.work(found.times);
  found.given = found.found = estimate(space, found.times, trials, options);
  found.problem = found.given.problem;
  found.met = found.given.converges && found.given.verdict.empty() && found.given.error <= wish.error;
  return found;
}

}  // namespace

PlannedTimes planned_times(const BuiltPlant& plant, const PlanWish& wish) {
  const Network& network = plant.checked.network;
  SearchOptions options{
      .error = wish.error,
      .duration_s = duration_of(wish, network),
      .may_lengthen =
          wish.always_lengthen || (network.inputs.empty() && (network.default_duration_ns || wish.duration_s > 0.0)),
      .progress = {}};
  const bool shows = isatty(STDERR_FILENO) == 1;
  if (shows)
    options.progress = [](const std::string& what) { fmt::print(stderr, "\r\033[Ktakt: trying plans, {}", what); };
  PlannedTimes planned{wish, searched(plant, wish, options)};
  if (shows) fmt::print(stderr, "\r\033[K");
  return planned;
}

std::string estimate_text(const PlanEstimate& estimate) {
  if (estimate.converges)
    return fmt::format("{} ({}){}", number(estimate.error), estimate.signal,
                       estimate.verdict.empty() ? "" : ", but runs fail by " + estimate.verdict);
  return fmt::format(
      "not known, as finer plans do not come nearer to each other: {} in {}, {} with a fifth of the times",
      number(estimate.error), estimate.signal, number(estimate.finer));
}

std::string planned_text(const Checked& checked, const PlannedTimes& planned) {
  const PlanSearch& search = planned.search;
  const bool inputs = !checked.network.inputs.empty(),
             all = PlanTimesSpace({checked.network, checked.dae}, checked.plan).periods_divide();
  return fmt::format(
      "{}: {} of {:g}{}: estimated {}, over {:g} s{}{}", checked.network.name,
      search.met ? "planned for an error" : "the error", planned.wish.error, search.met ? "" : " is not met",
      estimate_text(search.found), search.found.covered_s, inputs ? " with plant inputs at their start values" : "",
      all ? "" : "; of steps alone, as gates follow control: what synchronisation times do is not in it");
}

std::string planned_file(const Checked& checked, const PlannedTimes& planned) {
  return "# " + planned_text(checked, planned) + "\n" +
         plan_settings(checked, {.title = fmt::format("planned for an error of {:g}", planned.wish.error),
                                 .times = planned.search.times});
}

}  // namespace takt::tools
