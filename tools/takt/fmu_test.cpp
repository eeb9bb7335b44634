// takt fmu test FILE: is an FMU fit for real time?

#include <fmt/format.h>

#include <algorithm>

#include "runtime/command_line/command_line.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/fmu_commands.hpp"
#include "tools/takt/fmu_fitness.hpp"
#include "tools/takt/fmu_inputs.hpp"
#include "tools/takt/fmu_observed.hpp"
#include "tools/takt/fmu_run_settings.hpp"
#include "tools/takt/fmu_start_values.hpp"

namespace takt::tools {

struct FmuTestArguments {
  FmuRunArguments run;
  double steps = 1e6, short_steps = 1000;
  std::string budget, at_most = "60s";
  bool json = false;
};

namespace {

void declare(command_line::App& app, FmuTestArguments& arguments) {
  app.add_option("file", arguments.run.file, "FMU (FMI 2.0 or 3.0)")->required();
  app.add_option("--kind", arguments.run.kind,
                 "cs: co-simulation, me: model exchange (default: cs where the FMU has it)")
      ->one_of({"cs", "me"});
  app.add_option("--steps", arguments.steps, "steps of the long run, e.g. 1e6")
      ->in_range(100.0, 1e9)
      ->capture_default_str();
  app.add_option("--short-steps", arguments.short_steps, "steps of the runs that are compared bit by bit")
      ->in_range(2.0, 1e7)
      ->capture_default_str();
  app.add_option("--step", arguments.run.step, "communication step, or step of the method (default: the FMU's)");
  app.add_option("--budget", arguments.budget, "time that one step may take, e.g. 200us (default: the step itself)");
  app.add_option("--method", arguments.run.method, method_words)->one_of(method_names());
  declare_differences(app, arguments.run);
  app.add_option("--set", arguments.run.set, "NAME=VALUE of a parameter, a start value or an input");
  app.add_option("--at-most", arguments.at_most, "wall time of the long run")->capture_default_str();
  app.add_option("--patience", arguments.run.patience, "a step that takes longer hangs")->capture_default_str();
  app.add_flag("--strict", arguments.run.strict, "refuse what breaks a rule of the standard");
  app.add_flag("--json", arguments.json, "print all that was found for machines");
  app.example("takt fmu test engine.fmu --step 1ms --steps 1e6 --budget 200us");
  app.footer(
      "Each trial is a process of its own: a crash or a hang of the FMU is a finding. Exit code 0: fit, or fit with "
      "care; 1: not fit.");
}

std::string text_of(const Fitness& fitness, const FitnessLimits& limits) {
  std::string text;
  if (fitness.found.contains("long run") && fitness.found["long run"].contains("times")) {
    const auto& run = fitness.found["long run"];
    const auto& times = run["times"];
    text += fmt::format(
        "{} steps: p50 {:.4g} us, p99 {:.4g} us, p99.9 {:.4g} us, max {:.4g} us (step {}); budget {:.4g} us\n",
        run["steps"].get<std::uint64_t>(), times["p50_us"].get<double>(), times["p99_us"].get<double>(),
        times["p999_us"].get<double>(), times["max_us"].get<double>(), times["worst_step"].get<std::uint64_t>(),
        limits.budget_s * 1e6);
    text += fmt::format("memory: {:.3g} bytes of heap per step, {:.4g} MB resident, {} page faults\n",
                        run["memory"]["heap_bytes_per_step"].get<double>(),
                        run["memory"]["resident_bytes"].get<double>() / 1e6, run["page_faults"].get<std::uint64_t>());
  }
  constexpr const char* weights[] = {"NOT FIT", "care", "note"};
  for (const Reason& reason : fitness.reasons)
    text += fmt::format("  {:7} {}\n", weights[static_cast<std::size_t>(reason.weight)], reason.text);
  return text + "verdict: " + fitness.verdict() + " for real time\n";
}

std::string json_of(const Fitness& fitness, const FitnessLimits& limits) {
  nlohmann::ordered_json out{{"verdict", fitness.verdict()}, {"budget_us", limits.budget_s * 1e6}};
  constexpr const char* weights[] = {"unfit", "care", "note"};
  out["reasons"] = nlohmann::ordered_json::array();
  for (const Reason& reason : fitness.reasons)
    out["reasons"].push_back({{"weight", weights[static_cast<std::size_t>(reason.weight)]}, {"text", reason.text}});
  out["found"] = fitness.found;
  return out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace

FmuTestCommand::FmuTestCommand(command_line::App& app)
    : app_(app.add_subcommand("test", "is an FMU fit for real time? times, memory, repeatability, bad inputs")),
      arguments_(std::make_unique<FmuTestArguments>()) {
  declare(*app_, *arguments_);
}
FmuTestCommand::~FmuTestCommand() = default;
bool FmuTestCommand::parsed() const { return app_->parsed(); }

int FmuTestCommand::run() const {
  const FmuTestArguments& arguments = *arguments_;
  const OpenFmu fmu = fmu_to_run(arguments.run);
  fmu_host::TrialPlan plan = trial_of(fmu);
  plan.settings = run_settings(fmu, arguments.run);
  plan.steps = static_cast<std::uint64_t>(arguments.steps);
  plan.short_steps = static_cast<std::uint64_t>(arguments.short_steps);
  plan.settings.grid.stop = std::max(
      plan.settings.grid.stop, plan.settings.grid.start + static_cast<double>(plan.steps) * plan.settings.grid.step);
  plan.start = start_values(fmu.description, arguments.run.set);
  plan.observed = observed_variables(fmu.description, {});
  plan.held = held_inputs(fmu.description);
  plan.at_most_s = run_seconds(arguments.at_most, "--at-most");
  FitnessLimits limits;
  limits.budget_s = arguments.budget.empty() ? plan.settings.grid.step : run_seconds(arguments.budget, "--budget");
  limits.patience = patience_of(arguments.run.patience);
  const Fitness fitness = fitness_of(plan, limits);
  fmt::print("{}", arguments.json ? json_of(fitness, limits) : text_of(fitness, limits));
  return fitness.verdict() == "not fit" ? exit_failed : exit_ok;
}

}  // namespace takt::tools
