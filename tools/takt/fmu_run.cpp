// takt fmu run FILE: one run of an FMU.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "runtime/command_line/command_line.hpp"
#include "runtime/io/record/run_directory.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/fmu_commands.hpp"
#include "tools/takt/fmu_inputs.hpp"
#include "tools/takt/fmu_probe.hpp"
#include "tools/takt/fmu_run_files.hpp"
#include "tools/takt/fmu_run_settings.hpp"
#include "tools/takt/fmu_start_values.hpp"

namespace takt::tools {
namespace {

/// What came of a run.
struct RunEnd {
  std::string problem;   ///< why it did not come to its end; empty: it did
  double reached = 0.0;  ///< s
  nlohmann::json found;  ///< what the host has counted; nothing where it did not come to that
  [[nodiscard]] std::uint64_t count(const char* name) const { return found.value(name, std::uint64_t{0}); }
  [[nodiscard]] double wall_s() const { return found.value("wall_s", 0.0); }
  [[nodiscard]] std::string said() const { return found.value("said", std::string()); }
  [[nodiscard]] std::string chosen() const { return found.value("chosen", std::string()); }
  [[nodiscard]] bool terminated() const { return found.value("terminated", false); }
};

using Ranges = std::vector<codegen::DeclaredRange>;  // of columns

/// The first value of all that is beyond what its variable declares.
std::string beyond_range(const Observed& observed, const Ranges& ranges, const Samples& samples) {
  std::string problem;
  double first = std::numeric_limits<double>::infinity();
  for (std::size_t column = 0; column < samples.values.size(); ++column) {
    const codegen::DeclaredRange& range = ranges[column];
    const std::vector<double>& values = samples.values[column];
    const auto found = std::find_if(values.begin(), values.end(),
                                    [&](double value) { return value < range.least || value > range.most; });
    if (found == values.end()) continue;
    const double t = samples.time[static_cast<std::size_t>(found - values.begin())];
    if (t >= first) continue;
    first = t;
    problem = fmt::format("at {:.9g} s: {} = {:.6g} leaves the range that the FMU declares: {}", t,
                          observed.names[column], *found, range.text);
  }
  return problem;
}

RunEnd end_of(const ProbeOutcome& outcome, const Observed& observed, const Samples& samples) {
  RunEnd end{{}, samples.time.empty() ? 0.0 : samples.time.back(), nlohmann::json::object()};
  if (outcome.end != ProbeOutcome::End::finished) {
    end.problem = outcome.text();
    end.found["steps"] = outcome.step;
    return end;
  }
  end.found = outcome.found;
  end.reached = end.found.value("reached", end.reached);
  const std::string at = fmt::format("at {:.9g} s: ", end.reached);
  if (end.found.contains("problem")) end.problem = end.found["problem"].get<std::string>();
  if (end.found.contains("failed")) end.problem = at + end.found["failed"].get<std::string>();
  if (end.found.contains("not_finite")) {
    const auto column = end.found["not_finite"].get<std::size_t>();
    const double last = samples.values.at(column).back();
    end.problem = fmt::format("{}{} {} ({:g})", at, observed.names.at(column),
                              std::isfinite(last) ? "has grown beyond 1e30 of what it was" : "is not finite", last);
  }
  return end;
}

std::string summary_text(const OpenFmu& fmu, const SimulationSettings& settings, const RunEnd& end) {
  const bool model = fmu.table.kind == fmu::Kind::model_exchange;
  const std::uint64_t steps = end.count("steps");
  std::string text = fmt::format(
      "{} (FMI {}, {}{})\n{:.9g} s to {:.9g} s, step {:.6g} s: {} steps in {:.3g} s, {:.3g} us each\n",
      fmu.description.model_name, fmu.description.version_text, model ? "model exchange, " : "co-simulation",
      model ? settings.method->name : std::string_view{}, settings.grid.start, end.reached, settings.grid.step, steps,
      end.wall_s(), steps == 0 ? 0.0 : 1e6 * end.wall_s() / static_cast<double>(steps));
  if (end.count("time_events") + end.count("state_events") + end.count("step_events") + end.count("input_events") > 0)
    text += fmt::format("events: {} of time, {} of states, {} of steps, {} of inputs\n", end.count("time_events"),
                        end.count("state_events"), end.count("step_events"), end.count("input_events"));
  if (end.count("late_events") > 0)
    text += fmt::format("{} events of states came too densely to be located: take a shorter step\n",
                        end.count("late_events"));
  if (end.count("early_returns") > 0) text += fmt::format("early returns: {}\n", end.count("early_returns"));
  if (end.count("stiff_steps") > 0)
    text +=
        fmt::format("{} steps were too long for {}: taken by ros2\n", end.count("stiff_steps"), settings.method->name);
  if (!end.chosen().empty()) text += "ros2 from there on: " + end.chosen() + "\n";
  if (end.terminated()) text += end.said() + "\n";
  if (!end.problem.empty()) text += "FAILED: " + end.problem + "\n";
  return text;
}

std::string range_text(const Observed& observed, const Samples& samples) {
  std::string text;
  if (samples.time.empty()) return text;
  for (std::size_t column = 0; column < std::min<std::size_t>(observed.names.size(), 20); ++column) {
    const auto [least, most] = std::minmax_element(samples.values[column].begin(), samples.values[column].end());
    text += fmt::format("  {} = {:.6g} {} at the end ({:.6g} to {:.6g})\n", observed.names[column],
                        samples.values[column].back(), observed.units[column], *least, *most);
  }
  return text;
}

std::string json_text(const OpenFmu& fmu, const SimulationSettings& settings, const RunEnd& end) {
  nlohmann::ordered_json out{{"ok", end.problem.empty()},
                             {"model", fmu.description.model_name},
                             {"fmi", fmu.description.version_text},
                             {"kind", fmu.table.kind == fmu::Kind::model_exchange ? "me" : "cs"},
                             {"start_s", settings.grid.start},
                             {"reached_s", end.reached},
                             {"step_s", settings.grid.step},
                             {"steps", end.count("steps")},
                             {"wall_s", end.wall_s()}};
  for (const char* name :
       {"time_events", "state_events", "step_events", "input_events", "late_events", "early_returns", "stiff_steps"})
    out[name] = end.count(name);
  out["terminated_by_fmu"] = end.terminated();
  if (end.terminated()) out["ended"] = end.said();
  if (!end.chosen().empty()) out["implicit"] = end.chosen();
  if (!end.problem.empty()) out["problem"] = end.problem;
  return out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace

FmuRunCommand::FmuRunCommand(command_line::App& app)
    : app_(app.add_subcommand("run", "run an FMU and record its signals")),
      arguments_(std::make_unique<FmuRunArguments>()) {
  declare_fmu_run(*app_, *arguments_);
}
FmuRunCommand::~FmuRunCommand() = default;
bool FmuRunCommand::parsed() const { return app_->parsed(); }

int FmuRunCommand::run() const {
  const FmuRunArguments& arguments = *arguments_;
  const OpenFmu fmu = fmu_to_run(arguments);
  fmu_host::TrialPlan plan = trial_of(fmu);
  plan.work = "run";
  plan.settings = run_settings(fmu, arguments);
  plan.observed = observed_variables(fmu.description, arguments.output);
  plan.start = start_values(fmu.description, arguments.set);
  if (!arguments.input.empty()) {
    const bool slopes = fmu.table.version == fmu::Version::v2 && fmu.table.can.interpolates_inputs &&
                        fmu.table.kind == fmu::Kind::co_simulation;
    GivenInputs inputs = given_inputs(fmu.description, arguments.input, slopes);
    for (const std::string& name : inputs.missing)
      std::fprintf(stderr, "note: input '%s' is not in %s and keeps its start value\n", name.c_str(),
                   arguments.input.c_str());
    plan.inputs = std::move(inputs.table);
  }

  const ProbeOutcome outcome = probe(plan, patience_of(arguments.patience), false);
  const Samples samples = samples_of(outcome.rows, plan.observed.names.size());
  RunEnd end = end_of(outcome, plan.observed, samples);
  if (end.problem.empty())
    end.problem = beyond_range(plan.observed, observed_ranges(fmu.description, arguments.output), samples);
  const std::string failure = fmu.description.file.string() + ": " + end.problem;
  if (samples.time.empty() && !end.problem.empty()) throw std::runtime_error(failure);
  const std::string summary = summary_text(fmu, plan.settings, end) + range_text(plan.observed, samples);
  const RunDirectory directory = make_run_directory(arguments.out, fmu.description.file.stem().string());
  write_run(directory.path, plan.observed, samples, summary);
  fmt::print("{}", arguments.json ? json_text(fmu, plan.settings, end) : summary);
  if (!end.problem.empty()) std::fprintf(stderr, "takt fmu run: %s\n", failure.c_str());
  std::fprintf(stderr, "results in %s\n", directory.path.c_str());
  return end.problem.empty() ? exit_ok : exit_failed;
}

}  // namespace takt::tools
