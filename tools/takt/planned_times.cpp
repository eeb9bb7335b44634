#include "tools/takt/planned_times.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>

#include "tools/takt/plan_settings.hpp"
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
  if (!wish.keep) return search_times({checked.network, checked.dae}, checked.plan, trials, options);
  PlanSearch found;
  found.times = space.times();
  found.given_work = found.found_work = space.work(found.times);
  found.given = found.found = estimate(space, found.times, trials, options);
  found.problem = found.given.problem;
  found.met = found.given.converges && found.given.error <= wish.error;
  return found;
}

}  // namespace

PlannedTimes planned_times(const BuiltPlant& plant, const PlanWish& wish) {
  const Network& network = plant.checked.network;
  SearchOptions options{
      .error = wish.error,
      .duration_s = duration_of(wish, network),
      .may_lengthen = network.inputs.empty() && (network.default_duration_ns || wish.duration_s > 0.0),
      .progress = {}};
  const bool shows = isatty(STDERR_FILENO) == 1;
  if (shows)
    options.progress = [](const std::string& what) { fmt::print(stderr, "\r\033[Ktakt: trying plans, {}", what); };
  PlannedTimes planned{wish, searched(plant, wish, options)};
  if (shows) fmt::print(stderr, "\r\033[K");
  return planned;
}

std::string estimate_text(const PlanEstimate& estimate) {
  if (estimate.converges) return fmt::format("{} ({})", number(estimate.error), estimate.signal);
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
