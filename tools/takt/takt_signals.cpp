// takt signals PLANT: what can be named in a plant, without building it.

#include <fmt/format.h>
#include <unistd.h>

#include <map>

#include "codegen/emit/sources.hpp"
#include "codegen/pipeline.hpp"
#include "codegen/plan/patterns.hpp"
#include "runtime/units/nearest.hpp"
#include "tools/takt/check_waiting.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/home.hpp"
#include "tools/takt/modelica_plant.hpp"
#include "tools/takt/plant_arguments.hpp"

namespace takt::tools {

using namespace takt::codegen;

namespace {

struct Name {
  TableRow row;                 ///< of the table of plant memory
  std::optional<double> value;  ///< of a parameter; at the start, of an input
};

/// By path: what the built plant tells of itself.
std::map<std::string, Name> names_in(const Checked& checked) {
  const Graph& graph = checked.network.graph();
  std::map<std::string, Name> names;
  for (const TableRow& row : emit_plant(checked.network, checked.dae, checked.plan, {.generator = TAKT_VERSION}).table)
    names[row.path] = {row, std::nullopt};
  for (const Parameter& parameter : checked.network.parameters)
    names[graph.symbol(parameter.symbol).path].value = parameter.value;
  for (const PlantInput& input : checked.network.inputs) names[graph.symbol(input.symbol).path].value = input.start;
  return names;
}

std::string line_of(const Name& name) {
  const std::string value = name.value ? fmt::format(" = {:.6g}", *name.value) : "";
  return fmt::format("{:<12} {} [{}]{}\n", name.row.role, name.row.path, name.row.unit, value);
}

/// @return nothing where no name is meant
std::string rows_of(const std::map<std::string, Name>& names, const std::string& wanted) {
  std::string rows;
  for (const auto& [path, name] : names)
    if (wanted.empty() || pattern_matches(wanted, path)) rows += line_of(name);
  return rows;
}

int tell_nothing(const std::map<std::string, Name>& names, const std::string& wanted) {
  std::vector<std::string> paths;
  for (const auto& [path, name] : names) paths.push_back(path);
  const std::string nearest = did_you_mean(wanted, paths);
  fmt::print(stderr, "takt signals: nothing in this plant is called '{}'{}\n", wanted,
             nearest.empty() ? "; quote patterns, as in \"*.t\"" : "; " + nearest);
  return exit_usage;
}

}  // namespace

int signals_command(int argc, char** argv) {
  command_line::App app{
      "What rig files, scenarios, [record] and `takt tap` can name in a plant: inputs, signals, parameters, each with "
      "its unit. Builds nothing.",
      "takt signals"};
  PlantArguments arguments;
  std::string wanted;
  declare_plant(app, arguments);
  app.add_option("pattern", wanted, "a path, what all begin with, or with * (default: all)");
  app.example("takt signals config/plants/ev \"solid.*.t\"\ntakt signals config/plants/rc");
  app.footer(
      "structural: a parameter whose change needs another build. `takt check --show faults` lists what can be injected "
      "into elements.");
  if (const std::optional<int> code = app.parse(argc, argv)) return *code;
  const CheckOptions options{.library = {find_home().library},
                             .overrides = overrides(arguments.set),
                             .rig = std::nullopt,
                             .solve = solve_file(arguments)};
  Diagnostics diagnostics;
  const std::optional<Checked> checked = check_waiting(plant_or_model(arguments.plant), options, diagnostics);
  if (!checked || diagnostics.has_errors()) {
    fmt::print(stderr, "{}", diagnostics.render(isatty(STDERR_FILENO) == 1));
    return exit_failed;
  }
  const std::map<std::string, Name> names = names_in(*checked);
  const std::string rows = rows_of(names, wanted);
  if (rows.empty() && !wanted.empty()) return tell_nothing(names, wanted);
  fmt::print("{}", rows);
  return exit_ok;
}

}  // namespace takt::tools
