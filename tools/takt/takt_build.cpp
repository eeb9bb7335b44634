// takt build PLANT: checks a plant and compiles it into one executable that runs alone.

#include <cstdio>

#include "tools/takt/command.hpp"
#include "tools/takt/plan_for_error.hpp"
#include "tools/takt/plant_arguments.hpp"

namespace takt::tools {
namespace {

void declare(CLI::App& app, PlantArguments& arguments) {
  declare_plant(app, arguments);
  declare_rig(app, arguments);
  declare_build(app, arguments, "--out");
  declare_error(app, arguments);
  app.footer(
      "prints the path of the executable\n\n"
      "example:\n"
      "  takt build config/plants/ev --rig config/rigs/ev.toml --out /tmp/ev && /tmp/ev/bin/ev --pace real --for 10s");
}

}  // namespace

int build_command(int argc, char** argv) {
  CLI::App app{"Compile a plant into one executable that needs nothing else on its target.", "takt build"};
  PlantArguments arguments;
  declare(app, arguments);
  if (const std::optional<int> code = parse(app, argc, argv)) return *code;
  PlantBuild request = plant_build(arguments, false);
  request.publish = !request.directory.empty();  // who names a folder finds bin/NAME there
  const std::optional<BuiltPlant> built = build_planned(request);
  if (!built) return exit_failed;
  if (!built->built) std::fputs("takt: up to date\n", stderr);
  std::puts(built->executable.c_str());
  return exit_ok;
}

}  // namespace takt::tools
