// takt run PLANT: builds the plant where needed and runs it; options the executable knows are handed on to it.

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "tools/arguments.hpp"
#include "tools/build_plant.hpp"
#include "tools/command.hpp"

namespace takt::tools {
namespace {

struct RunArguments {
  std::string plant, rig, build, march;
  std::vector<std::string> set;
};

void declare(CLI::App& app, RunArguments& arguments) {
  app.add_option("plant", arguments.plant, "plant file, or folder with a plant.toml")->required();
  app.add_option("--rig", arguments.rig, "rig file: where and how the plant runs");
  app.add_option("--set", arguments.set, "name=value: override a parameter (may be repeated)");
  app.add_option("--build-dir", arguments.build, "folder for sources and executable (default: .takt/PLANT-HASH)");
  app.add_option("--march", arguments.march, "instruction set for the compiler (default: x86-64-v2, armv8-a)");
  app.allow_extras();
  app.footer(
      "All other options are the executable's own: --pace real|free, --for TIME, --out DIR, --replay INPUTS ...;\n"
      "`takt build PLANT`, then the executable with --help, lists them.\n\n"
      "examples:\n"
      "  takt run config/plants/rc --pace free --for 10ms --out results\n"
      "  takt run config/plants/ev --rig config/rigs/ev.toml --pace real --for 60s");
}

/// Replaces this process, so that signals and the exit code are the plant's own.
int execute(const BuiltPlant& plant, const std::vector<std::string>& extras) {
  std::vector<std::string> arguments{plant.executable.string()};
  for (const auto& [name, value] : plant.tunable) {
    arguments.emplace_back("--set");
    arguments.push_back(name + "=" + value);
  }
  arguments.insert(arguments.end(), extras.begin(), extras.end());
  std::vector<char*> raw;
  for (std::string& argument : arguments) raw.push_back(argument.data());
  raw.push_back(nullptr);
  std::fflush(nullptr);
  execv(raw[0], raw.data());
  std::fprintf(stderr, "takt run: cannot start %s: %s\n", raw[0], std::strerror(errno));
  return exit_failed;
}

}  // namespace

int run_command(int argc, char** argv) {
  CLI::App app{"Build a plant where needed, then run it.", "takt run"};
  RunArguments arguments;
  declare(app, arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? exit_ok : exit_usage;
  }
  PlantBuild request;
  request.plant = plant_file(arguments.plant);
  if (!arguments.rig.empty()) request.rig = existing_file(arguments.rig, "rig");
  request.overrides = overrides(arguments.set);
  request.keep_tunable = true;
  request.directory = arguments.build;
  request.march = arguments.march;
  const std::optional<BuiltPlant> built = build_plant(request);
  return built ? execute(*built, app.remaining()) : exit_failed;
}

}  // namespace takt::tools
