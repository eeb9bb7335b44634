#pragma once
// The head of the command lines of commands about a plant, written once.

#include <string>
#include <vector>

#include "runtime/command_line/command_line.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/build_plant.hpp"

namespace takt::tools {

struct PlantArguments {
  std::string plant, rig, solve, directory, march;
  std::vector<std::string> set;
  std::optional<double> error;
};

/// PLANT, --set and --solve.
void declare_plant(command_line::App& app, PlantArguments& arguments);
/// --rig.
void declare_rig(command_line::App& app, PlantArguments& arguments,
                 const std::string& help = "rig file: where and how the plant runs");
/// --march, and where sources and executable go, by the given name.
void declare_build(command_line::App& app, PlantArguments& arguments,
                   const std::string& directory_option = "--build-dir");

/// --error.
void declare_error(command_line::App& app, PlantArguments& arguments);

/// The file of --solve.  @throws UsageError
[[nodiscard]] std::optional<std::filesystem::path> solve_file(const PlantArguments& arguments);

/// What to build, files checked to exist.
/// @param keep_tunable  overrides of tunable parameters go to the executable instead of into it
/// @throws UsageError
[[nodiscard]] PlantBuild plant_build(const PlantArguments& arguments, bool keep_tunable);

}  // namespace takt::tools
