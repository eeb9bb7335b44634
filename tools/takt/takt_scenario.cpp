// takt scenario PLANT FILE...: runs a built plant through test scenarios, several at a time, and tells their verdicts.

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <thread>

#include "runtime/io/record/run_directory.hpp"
#include "runtime/io/record/run_files.hpp"
#include "runtime/io/record/text_file.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/plan_for_error.hpp"
#include "tools/takt/plant_arguments.hpp"
#include "tools/takt/plant_options.hpp"
#include "tools/takt/scenario_report.hpp"
#include "tools/takt/scenario_runs.hpp"
#include "tools/takt/wait_line.hpp"

namespace takt::tools {
namespace {

namespace fs = std::filesystem;

struct ScenarioArguments : PlantArguments {
  std::string out = "runs/scenarios", junit;
  std::size_t jobs = 0;
  std::vector<fs::path> files;
  std::vector<std::string> extras;
};

void declare(command_line::App& app, ScenarioArguments& arguments) {
  declare_plant(app, arguments);
  declare_rig(app, arguments);
  declare_build(app, arguments);
  declare_error(app, arguments);
  app.add_option("--out", arguments.out, "folder for the run directories, one per scenario")->capture_default_str();
  app.add_option("--junit", arguments.junit, "file for the verdicts as JUnit XML");
  app.add_option("--jobs", arguments.jobs, "runs at a time (default: a free run on every CPU, or one that holds pace)")
      ->in_range(1, 1024);
  app.allow_extras();
  app.example(
      "takt scenario config/plants/ev config/scenarios/ev_*.toml\n"
      "takt scenario config/plants/buck config/scenarios/buck_load_step.toml --junit verdicts.xml");
  app.footer(
      "After PLANT stand the scenarios, files that end in .toml. All other options are the executable's own: --pace "
      "real|free (default: that of the rig, else free), --set NAME=VALUE, --late 3, --allow-no-expectation ... Exit "
      "code 1 where a scenario failed, was not decided, or its run cannot be trusted, 3 where all of them were late at "
      "most: more deadlines missed than tolerated; then the run directory holds scenario.html. Ctrl-C ends the runs in "
      "order, verdicts are told, exit code 4. Scenario files are described in config/scenarios/README.md.");
}

/// What the command line has left over: scenarios and options of the executable.
void sort_extras(ScenarioArguments& arguments, const std::vector<std::string>& remaining) {
  for (const std::string& text : remaining) {
    if (!text.starts_with('-') && text.ends_with(".toml"))
      arguments.files.push_back(existing_file(text, "scenario"));
    else
      arguments.extras.push_back(text);
  }
  if (arguments.files.empty()) throw UsageError("no scenario: after PLANT name files that end in .toml");
  for (const char* taken : {"--out", "--json", "--no-results", "--list", "--scenario", "--trials"})
    for (const std::string& extra : arguments.extras)
      if (extra == taken || extra.starts_with(taken + std::string("=")))
        throw UsageError(std::string(taken) + " is not for the runs of takt scenario");
}

bool has(const std::vector<std::string>& extras, const std::string& option) {
  return std::any_of(extras.begin(), extras.end(),
                     [&](const std::string& extra) { return extra == option || extra.starts_with(option + "="); });
}

/// The command line before the rig.
bool is_real(const std::vector<std::string>& extras, const BuiltPlant& built) {
  if (!has(extras, "--pace")) return built.checked.rig && built.checked.rig->paced;
  for (std::size_t k = 0; k < extras.size(); ++k)
    if (extras[k] == "--pace=real" || (extras[k] == "--pace" && k + 1 < extras.size() && extras[k + 1] == "real"))
      return true;
  return false;
}

ScenarioJobs jobs_of(const ScenarioArguments& arguments, const BuiltPlant& built) {
  ScenarioJobs jobs{.files = arguments.files, .out = arguments.out};
  jobs.command = {built.executable.string(), "--quiet", "--scenario-signals"};
  for (const auto& [name, value] : built.tunable)
    jobs.command.insert(jobs.command.end(), {"--set", name + "=" + value});
  jobs.command.insert(jobs.command.end(), arguments.extras.begin(), arguments.extras.end());
  // Runs that hold pace disturb each other.
  jobs.at_once = arguments.jobs > 0                 ? arguments.jobs
                 : is_real(arguments.extras, built) ? 1
                                                    : std::max(1U, std::thread::hardware_concurrency());
  return jobs;
}

std::vector<ScenarioRun> run_waiting(ScenarioJobs jobs) {
  std::atomic<std::size_t> ended{0}, failed{0};
  jobs.done = [&](const ScenarioRun& run) {
    failed += run.ok ? 0 : 1;
    ++ended;
  };
  const WaitLine line("running scenarios", [&, all = jobs.files.size()] {
    return fmt::format("{} of {} have ended, {} failed", ended.load(), all, failed.load());
  });
  return run_scenarios(jobs);
}

}  // namespace

int scenario_command(int argc, char** argv) {
  command_line::App app{"Run a plant through test scenarios and tell their verdicts.", "takt scenario"};
  ScenarioArguments arguments;
  declare(app, arguments);
  if (const std::optional<int> code = app.parse(argc, argv)) return *code;
  refuse_unknown_options(app.remaining());
  heed_quiet(app.remaining());
  sort_extras(arguments, app.remaining());
  const std::optional<BuiltPlant> built = build_planned(plant_build(arguments, true));
  if (!built) return exit_failed;
  make_results_folder(arguments.out);
  const std::vector<ScenarioRun> runs = run_waiting(jobs_of(arguments, *built));
  for (const ScenarioRun& run : runs)
    if (!run.ok && run.verdict != "not run") write_run_file(run.folder, "scenario.html", scenario_page(run));
  if (!arguments.junit.empty()) write_whole(arguments.junit, junit_xml(built->checked.network.name, runs));
  std::fputs(verdict_table(runs).c_str(), stdout);
  const auto failed = std::count_if(runs.begin(), runs.end(), [](const ScenarioRun& run) { return !run.ok; });
  std::printf("%zu scenarios, %zu failed; runs in %s\n", runs.size(), static_cast<std::size_t>(failed),
              arguments.out.c_str());
  const auto has_code = [&](int code) {
    return std::any_of(runs.begin(), runs.end(), [&](const ScenarioRun& run) { return run.exit_code == code; });
  };
  for (const ExitCode code : {exit_usage, exit_failed, exit_late, exit_interrupted})
    if (has_code(code)) return code;
  return failed == 0 ? exit_ok : exit_failed;
}

}  // namespace takt::tools
