#include "tools/takt/propose_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "runtime/io/record/svg_plot.hpp"
#include "tools/takt/compare_signals.hpp"
#include "tools/takt/moved_inputs.hpp"
#include "tools/takt/plan_report.hpp"
#include "tools/takt/plan_run.hpp"
#include "tools/takt/plan_settings.hpp"
#include "tools/takt/reference_process.hpp"
#include "tools/takt/temporary_file.hpp"

namespace takt::tools {
namespace {

using namespace takt::codegen;
namespace fs = std::filesystem;

constexpr double patience = 10.0;
constexpr double least_part = 1e-2;  // as `takt run --verify`
constexpr double reference_s = 120.0;
constexpr double coarsest = 0.1, finest = 1e-9;

/// Three and ten times more and less than what is asked for.
std::vector<double> errors_around(double asked) {
  std::vector<double> errors;
  for (const double factor : {10.0, 3.0, 1.0, 1.0 / 3.0, 0.1})
    if (asked * factor <= coarsest && asked * factor >= finest) errors.push_back(asked * factor);
  return errors;
}

class Proposer {
 public:
  Proposer(const BuiltPlant& plant, const PlantArguments& arguments, const ProposalWish& wish)
      : plant_(plant), arguments_(arguments), wish_(wish) {
    proposal_.error = wish.error;
    proposal_.duration_s = duration_of(planned_for(wish.error), plant.checked.network);
    inputs_ = moved_inputs(plant.checked, proposal_.duration_s);
  }

  Proposal run() {
    PlanWish as_it_is = planned_for(wish_.error);
    as_it_is.keep = true;
    add(as_it_is);
    for (const double error : errors_around(wish_.error)) add(planned_for(error));
    return std::move(proposal_);
  }

 private:
  [[nodiscard]] PlanWish planned_for(double error) const {
    PlanWish wish;
    wish.error = error, wish.duration_s = wish_.duration_s, wish.patience = patience, wish.always_lengthen = true;
    return wish;
  }

  void add(const PlanWish& wish) {
    ProposedPlan plan;
    plan.planned = planned_times(plant_, wish);
    const PlanSearch& search = plan.planned.search;
    plan.work = search.found_work;
    if (!search.problem.empty())
      plan.problem = search.problem;
    else if (wish.keep || search.met)
      judge(plan);
    if (!wish.keep && wish.error == wish_.error && search.problem.empty()) proposal_.chosen = proposal_.plans.size();
    proposal_.plans.push_back(std::move(plan));
  }

  /// Runs it whole.
  void judge(ProposedPlan& plan) {
    const fs::path out = folder_.path() / std::to_string(proposal_.plans.size());
    const std::vector<std::string> none;
    const nlohmann::json summary = run_plan(plant_,
                                            {.settings = planned_file(plant_, plan.planned),
                                             .duration_s = proposal_.duration_s,
                                             .inputs = plan.planned.inputs_moved ? inputs_ : none},
                                            out);
    if (!summary.is_object()) {
      plan.problem = last_line(summary);
      return;
    }
    plan.rtf = summary.at("rtf").at("mean");
    const bool steady = summary.contains("start") && summary["start"].value("mode", "") == "steady";
    const std::optional<Recording>& reference = reference_for(plan.planned.inputs_moved, steady ? out : fs::path());
    if (!reference) return;
    const Comparison compared = without_rates(compare(read_recording(out), *reference, least_part));
    if (compared.signals.empty()) return;
    plan.off = compared.signals.front().normalised();
    plan.signal = compared.signals.front().path;
  }

  static Comparison without_rates(Comparison comparison) {
    std::erase_if(comparison.signals, [](const SignalError& error) { return error.path.ends_with(".der"); });
    return comparison;
  }

  /// Made once for plans whose inputs move and once for those whose inputs rest.
  const std::optional<Recording>& reference_for(bool moved, const fs::path& start) {
    const auto known = std::find_if(reference_.begin(), reference_.end(),
                                    [&](const Reference& reference) { return reference.moved == moved; });
    if (known != reference_.end()) return known->recording;
    reference_.push_back({moved, std::nullopt});
    ReferenceWish wish{.plant = arguments_.plant,
                       .solve = arguments_.solve,
                       .set = arguments_.set,
                       .inputs = moved ? inputs_ : std::vector<std::string>(),
                       .duration_s = proposal_.duration_s,
                       .at_most_s = reference_s,
                       .start = start};
    const fs::path tight = folder_.path() / fmt::format("tight_{}", moved),
                   loose = folder_.path() / fmt::format("loose_{}", moved);
    std::string& problem = proposal_.no_reference;
    if (!(problem = make_reference(wish, tight)).empty()) return reference_.back().recording;
    wish.tolerance = "1e-6";
    if (!(problem = make_reference(wish, loose)).empty()) return reference_.back().recording;
    Recording recording = read_recording(tight);
    const Comparison doubt = without_rates(compare(read_recording(loose), recording, least_part));
    if (!doubt.signals.empty())
      proposal_.reference_error = std::max(proposal_.reference_error, doubt.signals.front().normalised());
    for (const auto& [path, wave] : recording.signals)
      proposal_.reference_to_s = std::max(proposal_.reference_to_s, wave.time.back());
    reference_.back().recording = std::move(recording);
    return reference_.back().recording;
  }

  struct Reference {
    bool moved = false;
    std::optional<Recording> recording;
  };

  const BuiltPlant& plant_;
  const PlantArguments& arguments_;
  const ProposalWish& wish_;
  TemporaryFolder folder_;
  std::vector<std::string> inputs_;
  std::vector<Reference> reference_;
  Proposal proposal_;
};

std::string row_of(const ProposedPlan& plan) {
  const PlanWish& wish = plan.planned.wish;
  const PlanEstimate& found = plan.planned.search.found;
  const std::string name = wish.keep ? "as it is" : fmt::format("{:.2g}", wish.error);
  if (!plan.problem.empty()) return fmt::format("  {:<10} {}\n", name, plan.problem);
  const bool runs = plan.rtf > 0.0;
  return fmt::format("  {:<10} {:>10} {:>12} {:>14.2g} {:>10}  {}{}\n", name,
                     std::isfinite(found.error) ? fmt::format("{:.2g}", found.error) : "unbounded",
                     plan.off ? fmt::format("{:.2g}", *plan.off) : "-", plan.work,
                     runs ? fmt::format("{:.2g}", plan.rtf) : "-", plan.off ? plan.signal : found.signal,
                     runs ? "" : ", not met");
}

}  // namespace

Proposal propose_plan(const BuiltPlant& plant, const PlantArguments& arguments, const ProposalWish& wish) {
  return Proposer(plant, arguments, wish).run();
}

bool is_right(const Proposal& proposal) {
  if (!proposal.chosen) return false;
  const ProposedPlan& plan = proposal.plans[*proposal.chosen];
  if (!plan.planned.search.met || !plan.problem.empty()) return false;
  return !plan.off || *plan.off <= std::max(proposal.error, proposal.reference_error);
}

std::string proposal_text(const BuiltPlant& plant, const Proposal& proposal) {
  std::string text = fmt::format("{}: plans around an error of {:g}, each run for {:g} s\n\n",
                                 plant.checked.network.name, proposal.error, proposal.duration_s);
  text += fmt::format("  {:<10} {:>10} {:>12} {:>14} {:>10}  {}\n", "for", "estimated", "measured", "evaluations/s",
                      "RTF, free", "signal");
  for (const ProposedPlan& plan : proposal.plans) text += row_of(plan);
  if (proposal.no_reference.empty())
    text += fmt::format(
        "\nmeasured against `takt reference` over {:g} s; two of its tolerances differ by {:.1g}: smaller errors are "
        "not "
        "known\n",
        proposal.reference_to_s, proposal.reference_error);
  else
    text += "\nnot measured, as there is no reference: " + proposal.no_reference + "\n";
  if (proposal.chosen)
    text += "\n" + planned_text(plant, proposal.plans[*proposal.chosen].planned) + "\n" +
            steps_text(plan_report(plant, proposal.plans[*proposal.chosen].planned));
  return text;
}

std::string proposal_picture(const BuiltPlant& plant, const Proposal& proposal) {
  PlotLine estimated, measured;
  estimated.label = "estimated", measured.label = "against takt reference";
  const auto add = [](PlotLine& line, double x, double y) {
    if (!(x > 0.0) || !(y > 0.0) || !std::isfinite(y)) return;
    line.x.push_back(x);
    line.low.push_back(y), line.high.push_back(y);
  };
  for (const ProposedPlan& plan : proposal.plans) {
    if (plan.planned.wish.keep || !plan.problem.empty()) continue;
    add(estimated, plan.planned.search.found.error, plan.work);
    if (plan.off) add(measured, *plan.off, plan.work);
  }
  Plot plot{.title = plant.checked.network.name + ": evaluations of equations in a simulated second, over the error",
            .x_label = "error: RMS over the range of the worst recorded signal",
            .y_label = "1/s",
            .lines = {},
            .x_logarithmic = true,
            .y_logarithmic = true,
            .marks = true};
  for (PlotLine* line : {&estimated, &measured})
    if (!line->x.empty()) plot.lines.push_back(std::move(*line));
  return line_plot(plot);
}

}  // namespace takt::tools
