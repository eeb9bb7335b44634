#pragma once
// The head of the command lines of commands about a plant, written once.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "tools/takt/arguments.hpp"
#include "tools/takt/build_plant.hpp"

namespace takt::tools {

struct PlantArguments {
  std::string plant, rig, solve, directory, march;
  std::vector<std::string> set;
  std::optional<double> error;
};

/// PLANT, --set and --solve.
void declare_plant(CLI::App& app, PlantArguments& arguments);
/// --rig.
void declare_rig(CLI::App& app, PlantArguments& arguments,
                 const std::string& help = "rig file: where and how the plant runs");
/// --march, and where sources and executable go, by the given name.
void declare_build(CLI::App& app, PlantArguments& arguments, const std::string& directory_option = "--build-dir");

/// --error.
void declare_error(CLI::App& app, PlantArguments& arguments);

/// The file of --solve.  @throws UsageError
[[nodiscard]] std::optional<std::filesystem::path> solve_file(const PlantArguments& arguments);

/// What to build, files checked to exist.
/// @param keep_tunable  overrides of tunable parameters go to the executable instead of into it
/// @throws UsageError
[[nodiscard]] PlantBuild plant_build(const PlantArguments& arguments, bool keep_tunable);

}  // namespace takt::tools
