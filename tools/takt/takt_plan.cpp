// takt plan PLANT: steps and synchronisation times for an error, found by runs of the built plant.

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "codegen/text/quantity.hpp"
#include "runtime/io/record/run_directory.hpp"
#include "runtime/io/record/text_file.hpp"
#include "runtime/plant/input_script.hpp"
#include "runtime/stats/format.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/described_inputs.hpp"
#include "tools/takt/plan_for_budget.hpp"
#include "tools/takt/plan_report.hpp"
#include "tools/takt/planned_times.hpp"
#include "tools/takt/plant_arguments.hpp"

namespace takt::tools {
namespace {

using namespace takt::codegen;

struct PlanArguments : PlantArguments {
  std::string span, file, replay;
  std::vector<std::string> inputs;
  double budget = 0.0;
  bool json = false, keep = false;
};

void declare(command_line::App& app, PlanArguments& arguments) {
  declare_plant(app, arguments);
  declare_build(app, arguments);
  declare_error(app, arguments);
  app.add_option("--budget", arguments.budget,
                 "the most accurate plan that takes at most this real-time factor on this machine: plans for errors "
                 "from 0.1 to 1e-7 are run in real time")
      ->in_range(1e-6, 1.0)
      ->excludes("--error");
  app.add_option("--for", arguments.span,
                 "simulated TIME of each trial, at most (default: the plant's duration, or 1 s)");
  app.add_option("--input", arguments.inputs,
                 "name=value[@time]: a plant input from that time on, in all trials (may be repeated)");
  app.add_option("--replay", arguments.replay,
                 "inputs.csv, or the directory of an earlier run: its plant inputs in all trials");
  app.add_flag("--keep", arguments.keep, "change nothing: estimate the error of the plan as it is")
      ->excludes("--budget");
  app.add_option("--out", arguments.file, "write the plan there, a file for --solve (default: print it)");
  app.add_flag("--json", arguments.json, "print the result for machines");
  app.example(
      "takt plan config/plants/rc --error 1e-4 --out fine.toml\n"
      "takt run config/plants/rc --solve fine.toml\n"
      "takt plan config/plants/ev --keep            # how far off is the plan as it is?\n"
      "takt plan config/plants/ev --budget 0.5      # how accurate can it be in half of real time?");
  app.footer(
      "Steps in [solve] and times in [sync] that the plant gives are kept; the others move; where both are empty, fast "
      "circuits may get a group of their own and methods may change.");
}

std::string cost_text(const PlanEstimate& estimate, double work) {
  return fmt::format("a simulated second is {:.2g} evaluations of equations and took {:.2g} s here, run freely", work,
                     estimate.compute);
}

std::string result_text(const BuiltPlant& plant, const PlannedTimes& planned) {
  const PlanSearch& found = planned.search;
  std::string text = planned_text(plant, planned) + "\n";
  text += fmt::format("  as it is  {}; {}\n", estimate_text(found.given), cost_text(found.given, found.given_work));
  if (!planned.wish.keep)
    text += fmt::format("  found     {}; {}\n", estimate_text(found.found), cost_text(found.found, found.found_work));
  text += "\n" + steps_text(plan_report(plant, planned));
  if (planned.wish.keep) return text;
  if (!found.met)
    text +=
        "\nthe error asked for is not met: what limits it is given in [solve] or [sync], is not an error of times, "
        "takes smaller ones than were tried, or so small ones that hardly any of the time was seen\n";
  return text;
}

void write_plan(const PlanArguments& arguments, const std::string& plan) {
  if (!arguments.file.empty())
    write_whole(arguments.file, plan);
  else if (!arguments.json)
    fmt::print("\n{}", plan);
}

nlohmann::ordered_json json_of(const RatedPlan& rated) {
  const PlanSearch& search = rated.planned.search;
  nlohmann::ordered_json out{{"error", rated.planned.wish.error},
                             {"met", search.problem.empty() && search.met},
                             {"found", estimate_report(search.found)},
                             {"holds", rated.holds},
                             {"problem", search.problem.empty() ? rated.cost.problem : search.problem},
                             {"largest", rated.cost.largest}};
  if (std::isfinite(rated.cost.p99))
    out["rtf"] = {{"mean", rated.cost.mean}, {"p99", rated.cost.p99}, {"max", rated.cost.max}};
  return out;
}

int plan_within_budget(const BuiltPlant& built, const PlanArguments& arguments, const PlanWish& wish) {
  const Checked& checked = built.checked;
  const BudgetPlan plan = plan_for_budget(built, arguments.budget, wish);
  if (arguments.json) {
    nlohmann::ordered_json out{{"model", checked.network.name}, {"budget", arguments.budget}};
    for (const RatedPlan& rated : plan.rated) out["plans"].push_back(json_of(rated));
    if (plan.best) out["best"] = *plan.best;
    fmt::print("{}\n", out.dump(2));
  } else {
    fmt::print("{}", budget_text(checked, plan, arguments.budget));
  }
  if (!plan.best) return exit_failed;
  const PlannedTimes& best = plan.rated[*plan.best].planned;
  if (!arguments.json) fmt::print("\n{}", steps_text(plan_report(built, best)));
  write_plan(arguments, planned_file(built, best));
  return exit_ok;
}

/// What the executable is told of plant inputs.
/// @throw std::runtime_error  "file:line: cause"
std::vector<std::string> input_options(const PlanArguments& arguments, const Checked& checked) {
  std::vector<std::string> options;
  const DescribedInputs described(checked);
  for (const std::string& text : arguments.inputs) {
    (void)parse_scripted_input(text, described.plant());
    options.insert(options.end(), {"--input", text});
  }
  if (!arguments.replay.empty()) options.insert(options.end(), {"--replay", arguments.replay});
  return options;
}

/// Of the replayed run; 0: none, or a log that says nothing of it.
/// @param asked_s  how long trials are to be; 0: not said
/// @throw std::runtime_error  "file:line: cause"
double logged_span(const PlanArguments& arguments, const Checked& checked, double asked_s) {
  if (arguments.replay.empty()) return 0.0;
  const DescribedInputs described(checked);
  const InputLog log = read_input_log(arguments.replay, described.plant(), OtherSteps::accepted);
  const double span_s = log.end().seconds();
  if (!log.finished && (asked_s == 0.0 || asked_s > span_s))
    throw UsageError(arguments.replay + " " + not_finished(arguments.replay) + ": its log reaches " +
                     short_duration(span_s) + ". Give --for, that time at most");
  return span_s;
}

/// 0: not given
double span_of(const PlanArguments& arguments) {
  if (arguments.span.empty()) return 0.0;
  const auto parsed = parse_duration_ns(arguments.span);
  if (!parsed) throw UsageError("--for takes a time, such as \"10 ms\": " + parsed.error());
  return static_cast<double>(*parsed) * 1e-9;
}

}  // namespace

int plan_command(int argc, char** argv) {
  command_line::App app{"Find steps and synchronisation times for an error, by runs of the built plant.", "takt plan"};
  PlanArguments arguments;
  declare(app, arguments);
  if (const std::optional<int> code = app.parse(argc, argv)) return *code;
  PlanWish wish{.duration_s = span_of(arguments), .keep = arguments.keep};
  if (const auto folder = std::filesystem::path(arguments.file).parent_path();
      !folder.empty() && !std::filesystem::is_directory(folder))
    throw UsageError("--out: there is no folder " + folder.string());
  const std::optional<BuiltPlant> built = build_plant(plant_build(arguments, true));
  if (!built) return exit_failed;
  wish.inputs = input_options(arguments, built->checked);
  if (const double logged = logged_span(arguments, built->checked, wish.duration_s); wish.duration_s == 0.0)
    wish.duration_s = logged;
  if (arguments.budget > 0.0) return plan_within_budget(*built, arguments, wish);
  const double asked = arguments.error.value_or(built->checked.network.error.value_or(0.0));
  if (asked > 0.0) wish.error = asked;
  const PlannedTimes planned = planned_times(*built, wish);
  if (!planned.search.problem.empty()) {
    fmt::print(stderr, "takt plan: the error is not known: {}\n", planned.search.problem);
    return exit_failed;
  }
  fmt::print("{}", arguments.json ? plan_report(*built, planned).dump(2) + "\n" : result_text(*built, planned));
  if (!wish.keep) write_plan(arguments, planned_file(*built, planned));
  fmt::print(stderr, "{}", too_long_text(plan_report(*built, planned), duration_of(wish, built->checked.network)));
  return planned.search.met ? exit_ok : exit_failed;
}

}  // namespace takt::tools
