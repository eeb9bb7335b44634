#include "tools/takt/plant_arguments.hpp"

#include <cstdlib>

#include "tools/takt/modelica_plant.hpp"

namespace takt::tools {
namespace {

/// It goes into a command of a shell by way of CMake.
bool is_instruction_set(const std::string& text) {
  constexpr const char* allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.+_-=,";
  return !text.empty() && text.find_first_not_of(allowed) == std::string::npos;
}

}  // namespace

void declare_plant(command_line::App& app, PlantArguments& arguments) {
  app.add_option("plant", arguments.plant, "plant file, folder with a plant.toml, or model in Modelica (.mo)")
      ->required();
  app.add_option("--solve", arguments.solve,
                 "parametrisation: a file whose [solve], [sync] and [record] replace the plant's");
  app.add_option("--set", arguments.set, "name=value: override a parameter (may be repeated)");
}

void declare_rig(command_line::App& app, PlantArguments& arguments, const std::string& help) {
  app.add_option("--rig", arguments.rig, help);
}

void declare_build(command_line::App& app, PlantArguments& arguments, const std::string& directory_option) {
  app.add_option(directory_option, arguments.directory,
                 "folder for sources and executable (default: .takt/PLANT-HASH)");
  app.add_option("--march", arguments.march,
                 "instruction set for the compiler, e.g. native (default: x86-64-v2, armv8-a)")
      ->check(
          [](const std::string& text) {
            return is_instruction_set(text)
                       ? std::string()
                       : "'" + text + "' is no instruction set, such as x86-64-v3 or armv8.2-a+crc";
          },
          "NAME");
}

void declare_error(command_line::App& app, PlantArguments& arguments) {
  app.add_option("--error", arguments.error,
                 "find steps and synchronisation times for this RMS error over the range of each recorded signal "
                 "(default: `error` of [plant]; 1e-3 for a plant without steps in [solve]); off: search none")
      ->transform(
          [](std::string& text) {
            if (text == "off") return text = "0", std::string();
            const double error = std::strtod(text.c_str(), nullptr);
            return error >= 1e-9 && error <= 0.1 ? std::string() : text + " is not from 1e-9 to 0.1, nor off";
          },
          "NUMBER");
}

std::optional<std::filesystem::path> solve_file(const PlantArguments& arguments) {
  if (arguments.solve.empty()) return std::nullopt;
  return existing_file(arguments.solve, "parametrisation");
}

PlantBuild plant_build(const PlantArguments& arguments, bool keep_tunable) {
  PlantBuild request;
  request.plant = plant_or_model(arguments.plant);
  if (!arguments.rig.empty()) request.rig = existing_file(arguments.rig, "rig");
  request.solve = solve_file(arguments);
  request.overrides = overrides(arguments.set);
  request.keep_tunable = keep_tunable;
  request.directory = arguments.directory;
  request.march = arguments.march;
  request.error = arguments.error;
  return request;
}

}  // namespace takt::tools
