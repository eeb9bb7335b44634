#include "tools/takt/plan_for_budget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "tools/takt/plan_run.hpp"
#include "tools/takt/temporary_file.hpp"

namespace takt::tools {
namespace {

using namespace takt::codegen;
using Json = nlohmann::json;

constexpr double coarsest = 0.1, finest = 1e-7, times = 10.0;
constexpr double seconds_paced = 2.0;

/// Of the summary of a run: who computed longest.
void name_largest(PacedCost& cost, const Json& subsystems) {
  double sum = 0.0, most = 0.0;
  for (const Json& subsystem : subsystems) {
    const double compute_s = subsystem.at("compute_s");
    sum += compute_s;
    if (compute_s > most) most = compute_s, cost.largest = subsystem.at("name");
  }
  if (sum > 0.0) cost.largest_part = most / sum;
}

/// What its macro-steps take in a paced run: caches are cold after each sleep, so a free run would flatter it.
PacedCost paced_cost(const BuiltPlant& plant, const PlannedTimes& planned) {
  const TemporaryFolder folder;
  const double span = std::min(seconds_paced, planned.wish.duration_s > 0.0 ? planned.wish.duration_s : seconds_paced);
  const Json said =
      run_plan(plant, {.settings = planned_file(plant, planned), .pace = "real", .duration_s = span}, folder.path());
  PacedCost cost;
  if (!said.is_object()) return cost.problem = said, cost;
  const Json& rtf = said.at("rtf");
  cost.mean = rtf.at("mean"), cost.p99 = rtf.at("p99"), cost.max = rtf.at("max");
  name_largest(cost, said.at("subsystems"));
  return cost;
}

class Ladder {
 public:
  Ladder(const BuiltPlant& plant, double budget, PlanWish wish)
      : plant_(plant), budget_(budget), wish_(std::move(wish)) {
    wish_.keep = false;
    wish_.always_lengthen = true;
  }

  BudgetPlan climbed() {
    double error = usual_error;
    bool last = holds(error);
    if (last)
      while (error > 1.5 * finest && (last = holds(error /= times))) continue;
    else
      while (error < coarsest / 1.5 && !(last = holds(error *= times))) continue;
    if (found_.best && !(last && error < 1.5 * finest)) holds(between(found_.rated[*found_.best].planned.wish.error));
    return std::move(found_);
  }

 private:
  /// This error, which holds, and the tenth of it, which does not.
  static double between(double error) { return error / std::sqrt(times); }

  /// Whether the plan for this error does; it is then the most accurate so far, as they come in order.
  bool holds(double error) {
    wish_.error = error;
    RatedPlan rated{planned_times(plant_, wish_), {}, false};
    const PlanSearch& search = rated.planned.search;
    if (search.problem.empty() && search.met) {
      if (search.found.compute > 2.0 * budget_)  // a paced run would only be late
        rated.cost = {search.found.compute, HUGE_VAL, HUGE_VAL, {}, 0.0, {}};
      else
        rated.cost = paced_cost(plant_, rated.planned);
      rated.holds = rated.cost.problem.empty() && rated.cost.p99 <= budget_;
    }
    found_.rated.push_back(std::move(rated));
    if (found_.rated.back().holds) found_.best = found_.rated.size() - 1;
    return found_.rated.back().holds;
  }

  const BuiltPlant& plant_;
  double budget_;
  PlanWish wish_;
  BudgetPlan found_;
};

std::string rated_text(const RatedPlan& rated) {
  const PlanSearch& search = rated.planned.search;
  if (!search.problem.empty()) return "not known: " + search.problem;
  const std::string estimated = "estimated " + estimate_text(search.found);
  if (!search.met) return estimated + ", not met";
  if (!rated.cost.problem.empty()) return estimated + "; no paced run: " + rated.cost.problem;
  if (!std::isfinite(rated.cost.p99))
    return fmt::format("{}; not run in real time: run freely it takes an RTF of {:.2g}", estimated, rated.cost.mean);
  return fmt::format("{}; RTF {:.3g}, 99 % of the macro-steps {:.3g}, largest {:.3g}{}; {:.0f} % of it {}", estimated,
                     rated.cost.mean, rated.cost.p99, rated.cost.max, rated.holds ? "" : ", above the budget",
                     100.0 * rated.cost.largest_part, rated.cost.largest);
}

}  // namespace

BudgetPlan plan_for_budget(const BuiltPlant& plant, double budget, const PlanWish& wish) {
  return Ladder(plant, budget, wish).climbed();
}

std::string budget_text(const Checked& checked, const BudgetPlan& plan, double budget) {
  std::string text =
      fmt::format("{}: the most accurate plan within an RTF of {:g} on this machine\n", checked.network.name, budget);
  for (const RatedPlan& rated : plan.rated)
    text += fmt::format("  for an error of {:<7.2g} {}\n", rated.planned.wish.error, rated_text(rated));
  if (!plan.best)
    text += fmt::format("none holds: also the plan for an error of {:.2g} does not\n",
                        plan.rated.back().planned.wish.error);
  return text;
}

}  // namespace takt::tools
