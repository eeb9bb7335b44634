// takt fmu run FILE: one run of an FMU.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "runtime/command_line/command_line.hpp"
#include "runtime/io/record/run_directory.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/fmu_commands.hpp"
#include "tools/takt/fmu_run_files.hpp"
#include "tools/takt/fmu_run_settings.hpp"

namespace takt::tools {
namespace {

void print_message(void*, fmu::Status status, const char* text) noexcept {
  std::fprintf(stderr, "%s: %s\n", fmu::name_of(status), text);
}

std::string summary_text(const OpenFmu& fmu, const SimulationSettings& settings, const SimulationEnd& end) {
  const bool model = fmu.table.kind == fmu::Kind::model_exchange;
  std::string text =
      fmt::format("{} (FMI {}, {}{})\n{:.9g} s to {:.9g} s, step {:.6g} s: {} steps in {:.3g} s, {:.3g} us each\n",
                  fmu.description.model_name, fmu.description.version_text,
                  model ? "model exchange, " : "co-simulation", model ? settings.method->name : std::string_view{},
                  settings.grid.start, end.reached, settings.grid.step, end.counts.steps, end.wall_s,
                  end.counts.steps == 0 ? 0.0 : 1e6 * end.wall_s / static_cast<double>(end.counts.steps));
  const fmu::AdvanceCounts& counts = end.counts;
  if (counts.time_events + counts.state_events + counts.step_events + counts.input_events > 0)
    text += fmt::format("events: {} of time, {} of states, {} of steps, {} of inputs\n", counts.time_events,
                        counts.state_events, counts.step_events, counts.input_events);
  if (counts.late_events > 0)
    text +=
        fmt::format("{} events of states came too densely to be located: take a shorter step\n", counts.late_events);
  if (counts.early_returns > 0) text += fmt::format("early returns: {}\n", counts.early_returns);
  if (end.terminated) text += fmt::format("ended by the FMU at {:.9g} s\n", end.reached);
  return text;
}

std::string range_text(const Observed& observed, const Samples& samples) {
  std::string text;
  for (std::size_t column = 0; column < std::min<std::size_t>(observed.names.size(), 20); ++column) {
    const auto [least, most] = std::minmax_element(samples.values[column].begin(), samples.values[column].end());
    text += fmt::format("  {} = {:.6g} {} at the end ({:.6g} to {:.6g})\n", observed.names[column],
                        samples.values[column].back(), observed.units[column], *least, *most);
  }
  return text;
}

std::string json_text(const OpenFmu& fmu, const SimulationSettings& settings, const SimulationEnd& end) {
  const nlohmann::ordered_json out{{"ok", end.result.done()},
                                   {"model", fmu.description.model_name},
                                   {"fmi", fmu.description.version_text},
                                   {"kind", fmu.table.kind == fmu::Kind::model_exchange ? "me" : "cs"},
                                   {"start_s", settings.grid.start},
                                   {"reached_s", end.reached},
                                   {"step_s", settings.grid.step},
                                   {"steps", end.counts.steps},
                                   {"wall_s", end.wall_s},
                                   {"time_events", end.counts.time_events},
                                   {"state_events", end.counts.state_events},
                                   {"step_events", end.counts.step_events},
                                   {"input_events", end.counts.input_events},
                                   {"late_events", end.counts.late_events},
                                   {"early_returns", end.counts.early_returns},
                                   {"terminated_by_fmu", end.terminated}};
  return out.dump(2) + "\n";
}

[[noreturn]] void fail(const OpenFmu& fmu, const fmu::Result& result, fmu::Instance& instance,
                       const std::string& when) {
  throw std::runtime_error(fmu.description.file.string() + ": " + when + ": " + fmu::describe(result, instance));
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
  const OpenFmu fmu = open_fmu(arguments.file, arguments.kind);
  const SimulationSettings settings = run_settings(fmu, arguments);
  const Observed observed = observed_variables(fmu.description, arguments.output);
  const StartValues start = start_values(fmu.description, arguments.set);
  const bool slopes = fmu.table.version == fmu::Version::v2 && fmu.table.can.interpolates_inputs &&
                      fmu.table.kind == fmu::Kind::co_simulation;
  CsvInputs inputs =
      arguments.input.empty() ? CsvInputs(fmu.table.version) : CsvInputs(fmu.description, arguments.input, slopes);
  for (const std::string& name : inputs.missing())
    std::fprintf(stderr, "note: input '%s' is not in %s and keeps its start value\n", name.c_str(),
                 arguments.input.c_str());

  fmu::Instance instance(fmu.table);
  if (arguments.logging) instance.message().set_sink(print_message, nullptr);
  const fmu::Result made =
      instance.instantiate({fmu.description.model_name, arguments.logging, true, settings.variable_step});
  if (!made.done()) fail(fmu, made, instance, "at its start");
  if (const fmu::Result ready = initialise(instance, start, settings, inputs); !ready.done())
    fail(fmu, ready, instance,
         ready.row < start.names.size() ? "setting " + start.names[ready.row] : "in initialisation");
  Simulation simulation(instance, settings, inputs, observed);
  const SimulationEnd end = simulation.run();
  if (!end.result.done()) fail(fmu, end.result, instance, fmt::format("at {:.9g} s", end.reached));

  const std::string summary = summary_text(fmu, settings, end) + range_text(observed, simulation.samples());
  const RunDirectory directory = make_run_directory(arguments.out, fmu.description.file.stem().string());
  write_run(directory.path, observed, simulation.samples(), summary);
  fmt::print("{}", arguments.json ? json_text(fmu, settings, end) : summary);
  std::fprintf(stderr, "results in %s\n", directory.path.c_str());
  return exit_ok;
}

}  // namespace takt::tools
