// takt build PLANT: checks a plant and compiles it into one executable that runs alone.

#include <CLI/CLI.hpp>
#include <cstdio>

#include "tools/arguments.hpp"
#include "tools/build_plant.hpp"
#include "tools/command.hpp"

namespace takt::tools {
namespace {

struct BuildArguments {
  std::string plant, rig, out, march;
  std::vector<std::string> set;
};

void declare(CLI::App& app, BuildArguments& arguments) {
  app.add_option("plant", arguments.plant, "plant file, or folder with a plant.toml")->required();
  app.add_option("--rig", arguments.rig, "rig file: where and how the plant runs");
  app.add_option("--set", arguments.set, "name=value: override a parameter (may be repeated)");
  app.add_option("--out", arguments.out, "folder for sources and executable (default: .takt/PLANT-HASH)");
  app.add_option("--march", arguments.march,
                 "instruction set for the compiler, e.g. native (default: x86-64-v2, armv8-a)");
  app.footer(
      "prints the path of the executable\n\n"
      "example:\n"
      "  takt build config/plants/ev --rig config/rigs/ev.toml --out /tmp/ev && /tmp/ev/bin/ev --pace real --for 10s");
}

}  // namespace

int build_command(int argc, char** argv) {
  CLI::App app{"Compile a plant into one executable that needs nothing else on its target.", "takt build"};
  BuildArguments arguments;
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
  request.directory = arguments.out;
  request.march = arguments.march;
  const std::optional<BuiltPlant> built = build_plant(request);
  if (!built) return exit_failed;
  if (!built->built) std::fputs("takt: up to date\n", stderr);
  std::puts(built->executable.c_str());
  return exit_ok;
}

}  // namespace takt::tools
