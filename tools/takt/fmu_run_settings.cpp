#include "tools/takt/fmu_run_settings.hpp"

#include <cmath>

#include "codegen/text/quantity.hpp"
#include "runtime/command_line/command_line.hpp"
#include "runtime/plant/quantity.hpp"
#include "tools/takt/arguments.hpp"

namespace takt::tools {
namespace {

bool is_multiple(double whole, double part) {
  const double ratio = whole / part, near = std::round(ratio);
  return near >= 1.0 && std::abs(ratio - near) <= 1e-6 * near;
}

double step_of(const OpenFmu& fmu, const FmuRunArguments& arguments, double duration) {
  const codegen::FmuInterface& own = fmu.interface();
  if (!arguments.step.empty()) return run_seconds(arguments.step, "--step");
  if (fmu.description.experiment.step && *fmu.description.experiment.step > 0.0)
    return *fmu.description.experiment.step;
  return own.fixed_internal_step.value_or(duration / 1000.0);
}

void check_step(const OpenFmu& fmu, const Grid& grid) {
  const codegen::FmuInterface& own = fmu.interface();
  if (fmu.table.kind == fmu::Kind::model_exchange) return;
  if (own.fixed_internal_step && !is_multiple(grid.step, *own.fixed_internal_step))
    throw UsageError("--step must be a whole multiple of the FMU's own step, " +
                     codegen::number_text(*own.fixed_internal_step) + " s (fixedInternalStepSize)");
  if (!own.variable_step && !is_multiple(grid.stop - grid.start, grid.step))
    throw UsageError(
        "the FMU does not take a shorter last step (canHandleVariableCommunicationStepSize): --for must be a "
        "whole multiple of the step, " +
        codegen::number_text(grid.step) + " s");
}

}  // namespace

double run_seconds(const std::string& text, const char* option) {
  double value = 0.0;
  try {
    value = parse_quantity(text, "s");
  } catch (const std::exception& problem) {
    throw UsageError(std::string(option) + ": " + problem.what());
  }
  if (!(value > 0.0) || !std::isfinite(value)) throw UsageError(std::string(option) + " must be above 0");
  return value;
}

std::chrono::milliseconds patience_of(const std::string& text) {
  return std::chrono::milliseconds(std::llround(1e3 * run_seconds(text, "--patience")));
}

std::vector<std::string> method_names() {
  std::vector<std::string> names{std::string(fmu::automatic)};
  for (const fmu::Tableau& method : fmu::tableaus) names.emplace_back(method.name);
  return names;
}

void declare_differences(command_line::App& app, FmuRunArguments& arguments) {
  app.add_flag("--no-directional-derivatives", arguments.differences,
               "of a model exchange: Jacobians by differences, also where the FMU offers directional derivatives");
}

OpenFmu fmu_to_run(const FmuRunArguments& arguments) {
  OpenFmu fmu = open_fmu(arguments.file, arguments.kind, arguments.strict);
  if (arguments.differences) fmu.table.can.directional_derivatives = false;
  return fmu;
}

void declare_fmu_run(command_line::App& app, FmuRunArguments& arguments) {
  app.add_option("file", arguments.file, "FMU (FMI 2.0 or 3.0)")->required();
  app.add_option("--kind", arguments.kind, "cs: co-simulation, me: model exchange (default: cs where the FMU has it)")
      ->one_of({"cs", "me"});
  app.add_option("--for", arguments.duration,
                 "simulated time, e.g. 10s (default: the FMU's default experiment, else 1 s)");
  app.add_option("--step", arguments.step,
                 "communication step, or step of the method (default: the FMU's, else duration/1000)");
  app.add_option("--method", arguments.method, method_words)->one_of(method_names());
  declare_differences(app, arguments);
  app.add_option("--set", arguments.set,
                 "NAME=VALUE of a parameter, a start value or an input; with a unit, it is converted");
  app.add_option("--input", arguments.input, "table of inputs over time: 'time [s]', then names of inputs");
  app.add_option("--output", arguments.output, "variables to record, * for any characters (default: all outputs)");
  app.add_option("--interval", arguments.interval, "from one recorded row to the next, a multiple of the step");
  app.add_option("--tolerance", arguments.tolerance, "relative tolerance for solvers inside the FMU")->positive();
  app.add_option("--patience", arguments.patience, "a step that takes longer hangs, and ends the run")
      ->capture_default_str();
  app.add_option("--out", arguments.out, "folder for signals.csv and report.html (default: runs/NAME-N)");
  app.add_flag("--record-events", arguments.record_events, "record both sides of each event, too");
  app.add_flag("--logging", arguments.logging, "ask the FMU for its debug messages and print them");
  app.add_flag("--strict", arguments.strict, "refuse what breaks a rule of the standard");
  app.add_flag("--json", arguments.json, "print the summary for machines");
  app.example(
      "takt fmu run engine.fmu --for 10s --step 1ms --set load=\"20 N*m\" --input throttle.csv\n"
      "takt fmu run ball.fmu --kind me --method rk4 --step 1ms --output 'h,v'");
  app.footer(
      "The FMU runs in a process of its own. However it ends, what was recorded is kept. Exit code 0: to its end, or "
      "to where the FMU ended it; 1: it failed, crashed, hung, its values are no longer finite or leave the range "
      "(min, max) that it declares, or the method is not stable with the step. State events of a model exchange are "
      "located within a step, time events are hit exactly. Its directional derivatives are asked for by ros1 and ros2 "
      "alone. The signals are those of a run: `takt compare` reads them.");
}

SimulationSettings run_settings(const OpenFmu& fmu, const FmuRunArguments& arguments) {
  const codegen::FmuExperiment& experiment = fmu.description.experiment;
  SimulationSettings settings;
  Grid& grid = settings.grid;
  grid.start = experiment.start.value_or(0.0);
  const double duration = !arguments.duration.empty()                        ? run_seconds(arguments.duration, "--for")
                          : experiment.stop && *experiment.stop > grid.start ? *experiment.stop - grid.start
                                                                             : 1.0;
  grid.stop = grid.start + duration;
  grid.step = step_of(fmu, arguments, duration);
  check_step(fmu, grid);
  if (duration / grid.step > 1e10) throw UsageError("more than 1e10 steps: take a longer --step or a shorter --for");
  grid.every = grid.steps() / 10'000 + 1;
  if (!arguments.interval.empty()) {
    const double interval = run_seconds(arguments.interval, "--interval");
    if (!is_multiple(interval, grid.step)) throw UsageError("--interval must be a whole multiple of the step");
    grid.every = static_cast<std::uint64_t>(std::llround(interval / grid.step));
  }
  settings.chooses = arguments.method.empty() || arguments.method == fmu::automatic;
  if (!arguments.method.empty() && fmu.table.kind == fmu::Kind::co_simulation)
    throw UsageError("--method: a co-simulation brings its own solver; it is for --kind me");
  settings.method = settings.chooses ? fmu::usual_method : fmu::find_tableau(arguments.method);
  settings.tolerance = arguments.tolerance ? arguments.tolerance : experiment.tolerance;
  settings.variable_step = fmu.table.kind == fmu::Kind::model_exchange || fmu.interface().variable_step;
  settings.record_events = arguments.record_events;
  settings.logging = arguments.logging;
  return settings;
}

}  // namespace takt::tools
