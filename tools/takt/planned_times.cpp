#include "tools/takt/planned_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "codegen/accuracy/fast_subsystems.hpp"
#include "codegen/accuracy/later_instants.hpp"
#include "codegen/accuracy/methods_for_times.hpp"
#include "codegen/text/quantity.hpp"
#include "runtime/stats/format.hpp"
#include "tools/takt/moved_inputs.hpp"
#include "tools/takt/plan_settings.hpp"
#include "tools/takt/plan_variants.hpp"
#include "tools/takt/temporary_file.hpp"
#include "tools/takt/trial_process.hpp"
#include "tools/takt/wait_line.hpp"

namespace takt::tools {
namespace {

using namespace takt::codegen;

constexpr double usual_duration_s = 1.0;

std::string number(double error) { return std::isfinite(error) ? fmt::format("{:.2g}", error) : "beyond all bounds"; }

bool covers(double covered_s, double duration_s) {
  constexpr double all = 0.999;
  return covered_s >= all * duration_s;
}

std::string covered_text(double covered_s, double duration_s) {
  return covers(covered_s, duration_s) ? fmt::format("{:.4g} s", covered_s)
                                       : fmt::format("the first {:.3g} s of {:.4g} s", covered_s, duration_s);
}

/// Where trials saw a part of the run: a line with its beginning.
std::string unseen_text(const Network& network, const PlannedTimes& planned) {
  const double covered_s = planned.search.found.covered_s, duration_s = duration_of(planned.wish, network);
  if (covers(covered_s, duration_s)) return {};
  const std::size_t many = planned.later.size();
  const std::string known =
      many == 0 ? ""
                : fmt::format(", {} {} at which functions of the time jump or bend or inputs move, {}at {}",
                              many > few_instants ? "such as" : not_reached,
                              many == 1 ? "the instant" : fmt::format("{} known instants", many),
                              many == 1 ? "" : "the first ", short_duration(planned.later.front()));
  return fmt::format("\n{}: trials saw {}, {}{}; `takt run --audit full` judges the whole run", network.name,
                     covered_text(covered_s, duration_s), not_all_seen, known);
}

const char* inputs_text(const Network& network, const PlannedTimes& planned) {
  if (network.inputs.empty()) return "";
  if (planned.inputs_moved) return " with its inputs moved";
  return planned.wish.inputs.empty() ? " with plant inputs at their start values" : " with the inputs given";
}

/// A plan that the generator refuses is none, however well it did in trials.
bool passes(const BuiltPlant& plant, const PlanTimes& times) {
  const TemporaryFile file(plan_settings(plant.checked, {.title = "tried", .times = times}));
  PlantBuild request = plant.request;
  request.solve = file.path();
  return is_accepted(request);
}

PlanSearch sought(const BuiltPlant& plant, const TryPlans& trials, SearchOptions options) {
  options.accepts = [&plant](const PlanTimes& times) { return passes(plant, times); };
  return search_times({plant.checked.network, plant.checked.dae}, plant.checked.plan, trials, options);
}

PlanSearch searched(const BuiltPlant& plant, const PlanWish& wish, const TryPlans& trials,
                    const SearchOptions& options) {
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
  if (!wish.keep) return sought(plant, trials, options);
  PlanSearch found;
  found.times = space.times();
  found.given_work = found.found_work = space.work(found.times);
  found.given = found.found = estimate(space, found.times, trials, options);
  found.problem = found.given.problem;
  found.met = found.given.converges && found.given.verdict.empty() && found.given.error <= wish.error;
  return found;
}

/// Instants of the run that are known ahead: of functions of the time, and of inputs that are given.
std::vector<double> known_after(const BuiltPlant& plant, const PlanWish& wish, double after_s) {
  const Checked& checked = plant.checked;
  const double duration_s = duration_of(wish, checked.network);
  std::vector<double> all = later_instants({checked.network, checked.dae}, after_s, duration_s, plant.tunable);
  for (const std::string& input : wish.inputs) {
    const std::size_t at = input.find('@');
    const auto time_ns = at == std::string::npos ? 0 : parse_duration_ns(input.substr(at + 1)).value_or(0);
    const double time_s = static_cast<double>(time_ns) * 1e-9;
    if (time_s > after_s && time_s < duration_s) all.push_back(time_s);
  }
  std::sort(all.begin(), all.end());
  return all;
}

struct Looked {
  PlanSearch search;
  std::shared_ptr<const BuiltPlant> variant;  ///< as PlannedTimes::variant
};

/// Plans of another shape, taken where they save work.
class Variants {
 public:
  Variants(const BuiltPlant& plant, const std::vector<std::string>& inputs, const SearchOptions& options,
           PlanSearch found)
      : plant_(plant), inputs_(inputs), options_(options), best_{std::move(found), nullptr} {}

  /// Fast circuits in a group of their own, then other methods.
  Looked best() && {
    for (const std::vector<std::size_t>& fast : fast_subsystems(plant_.checked.plan))
      if (improves(with_two_rates(plant_, best_.search.times, fast))) break;
    const BuiltPlant& now = best_.variant ? *best_.variant : plant_;
    const std::shared_ptr<const BuiltPlant> kept = best_.variant;  // while others take its place
    const Checked& checked = now.checked;
    for (const auto& methods :
         methods_for_times({checked.network, checked.dae}, checked.plan, best_.search.times, checked.range))
      improves(with_methods(now, methods));
    return std::move(best_);
  }

 private:
  bool improves(std::shared_ptr<const BuiltPlant> variant) {
    constexpr double worth_it = 0.8;
    if (!variant) return false;
    PlanSearch second = sought(*variant, trials_of(*variant, inputs_), options_);
    best_.search.rounds += second.rounds;
    if (!second.problem.empty() || !second.met || second.found_work > worth_it * best_.search.found_work) return false;
    second.given = best_.search.given;
    second.given_work = best_.search.given_work;
    second.rounds = best_.search.rounds;
    best_ = {std::move(second), std::move(variant)};
    return true;
  }

  const BuiltPlant& plant_;
  const std::vector<std::string>& inputs_;
  const SearchOptions& options_;
  Looked best_;
};

void add_next(const BuiltPlant& plant, Looked& looked, const std::vector<std::string>& inputs,
              const SearchOptions& options) {
  const BuiltPlant& built = looked.variant ? *looked.variant : plant;
  const PlanTimesSpace space({built.checked.network, built.checked.dae}, built.checked.plan);
  PlanSearch& search = looked.search;
  search.next = next_plans(space, search.times, search.found, trials_of(built, inputs), options);
}

/// Where the error is not met: whether any steps could.
void add_sensitivity(const BuiltPlant& plant, Looked& looked, const std::vector<std::string>& inputs,
                     const SearchOptions& options) {
  PlanSearch& search = looked.search;
  if (!search.problem.empty() || search.met) return;
  const BuiltPlant& built = looked.variant ? *looked.variant : plant;
  const PlanTimesSpace space({built.checked.network, built.checked.dae}, built.checked.plan);
  search.sensitive = sensitivity(space, search.times, trials_of(built, inputs), options);
}

/// @param inputs  options of the executable
Looked looked(const BuiltPlant& plant, const PlanWish& wish, const std::vector<std::string>& inputs) {
  const Network& network = plant.checked.network;
  SearchOptions options{
      .error = wish.error,
      .duration_s = duration_of(wish, network),
      .may_lengthen = wish.always_lengthen || ((network.inputs.empty() || !wish.inputs.empty()) &&
                                               (network.default_duration_ns || wish.duration_s > 0.0)),
      .progress = {}};
  options.later = [&](double after_s) { return known_after(plant, wish, after_s); };
  options.work *= wish.patience, options.last_work *= wish.patience;
  WaitLine line("trying plans");
  options.progress = [&](const std::string& what) { line.now("trying plans, " + what); };
  Looked found{searched(plant, wish, trials_of(plant, inputs), options), nullptr};
  if (!wish.keep && found.search.problem.empty() && found.search.met && may_vary(plant))
    found = Variants(plant, inputs, options, std::move(found.search)).best();
  if (found.search.problem.empty() && found.search.found.converges) add_next(plant, found, inputs, options);
  add_sensitivity(plant, found, inputs, options);
  return found;
}

/// What is said of inputs that were moved to where the plant cannot follow.
std::string why_unknown(const PlanSearch& moved) {
  const PlanEstimate& found = moved.found;
  if (!moved.problem.empty()) return moved.problem;
  if (!found.finest_verdict.empty()) return "runs fail by " + found.finest_verdict;
  return found.converges && found.verdict.empty() ? "" : estimate_text(found);
}

PlannedTimes planned_by(const BuiltPlant& plant, const PlanWish& wish, Looked looked) {
  const Checked& checked = plant.checked;
  const double duration_s = duration_of(wish, checked.network), covered_s = looked.search.found.covered_s;
  return {.wish = wish,
          .search = std::move(looked.search),
          .variant = std::move(looked.variant),
          .inputs_moved = false,
          .later = covers(covered_s, duration_s) ? std::vector<double>{} : known_after(plant, wish, covered_s),
          .when_moved = {}};
}

}  // namespace

double duration_of(const PlanWish& wish, const Network& network) {
  if (wish.duration_s > 0.0) return wish.duration_s;
  return network.default_duration_ns ? static_cast<double>(*network.default_duration_ns) * 1e-9 : usual_duration_s;
}

PlannedTimes planned_times(const BuiltPlant& plant, const PlanWish& wish) {
  const Network& network = plant.checked.network;
  if (network.inputs.empty() || !wish.inputs.empty()) return planned_by(plant, wish, looked(plant, wish, wish.inputs));
  PlannedTimes moved =
      planned_by(plant, wish, looked(plant, wish, moved_inputs(plant.checked, duration_of(wish, network))));
  moved.inputs_moved = true;
  const std::string unknown = why_unknown(moved.search);
  if (unknown.empty()) return moved;
  PlannedTimes still = planned_by(plant, wish, looked(plant, wish, {}));
  still.when_moved = unknown;
  return still.search.problem.empty() ? still : moved;
}

std::string estimate_text(const PlanEstimate& estimate) {
  if (estimate.converges)
    return fmt::format("{} ({}){}", number(estimate.error), estimate.signal,
                       estimate.verdict.empty() ? "" : ", but runs fail by " + estimate.verdict);
  return fmt::format(
      "not known, as finer plans do not come nearer to each other: {} in {}, {} with a fifth of the times",
      number(estimate.error), estimate.signal, number(estimate.finer));
}

const Checked& checked_of(const BuiltPlant& plant, const PlannedTimes& planned) {
  return planned.variant ? planned.variant->checked : plant.checked;
}

std::string sensitivity_text(const Network& network, const PlanSearch& search, double error) {
  if (!search.sensitive) return "";
  const auto& [moved, signal] = *search.sensitive;
  return fmt::format(
      "\n{}: the plant is sensitive: states that differ by a part of {:g} move {} by {} of its range; {}", network.name,
      nudged, signal, number(moved),
      moved > error ? "no steps can meet it: compare means and extremes, not single courses"
                    : "much shorter steps in [solve] may meet it");
}

std::string planned_text(const BuiltPlant& plant, const PlannedTimes& planned) {
  const Checked& checked = checked_of(plant, planned);
  const PlanSearch& search = planned.search;
  const bool all = PlanTimesSpace({checked.network, checked.dae}, checked.plan).periods_divide();
  return fmt::format(
             "{}: {} of {:g}{}: estimated {}, over {}{}{}", checked.network.name,
             search.met ? "planned for an error" : "the error", planned.wish.error, search.met ? "" : " is not met",
             estimate_text(search.found),
             covered_text(search.found.covered_s, duration_of(planned.wish, checked.network)),
             inputs_text(checked.network, planned),
             all ? "" : "; of steps alone, as gates follow control: what synchronisation times do is not in it") +
         sensitivity_text(checked.network, search, planned.wish.error) +
         (planned.when_moved.empty()
              ? ""
              : fmt::format("\n{}: {}: {}; `takt plan` with --input or --replay plans for what inputs do",
                            checked.network.name, not_known_moved, planned.when_moved)) +
         unseen_text(checked.network, planned);
}

std::string planned_file(const BuiltPlant& plant, const PlannedTimes& planned) {
  std::string head = "# " + planned_text(plant, planned);
  for (std::size_t end = head.find('\n'); end != std::string::npos; end = head.find('\n', end + 1))
    head.insert(end + 1, "# ");
  return head + "\n" +
         plan_settings(
             checked_of(plant, planned),
             {.title = fmt::format("planned for an error of {:g}", planned.wish.error), .times = planned.search.times});
}

}  // namespace takt::tools
