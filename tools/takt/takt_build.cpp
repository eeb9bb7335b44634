// takt build PLANT: checks a plant and compiles it into one executable that runs alone.

#include <cstdio>

#include "tools/takt/command.hpp"
#include "tools/takt/plan_for_error.hpp"
#include "tools/takt/plant_arguments.hpp"
#include "tools/takt/target_build.hpp"

namespace takt::tools {
namespace {

void declare(command_line::App& app, PlantArguments& arguments, std::string& target) {
  declare_plant(app, arguments);
  declare_rig(app, arguments);
  declare_build(app, arguments, "--out");
  declare_target(app, target);
  declare_error(app, arguments);
  app.example(
      "takt build config/plants/ev --target linux-aarch64 --out /tmp/ev-board   # for a 64-bit ARM board\n"
      "takt build config/plants/ev --rig config/rigs/ev.toml --out /tmp/ev\n"
      "/tmp/ev/bin/ev --pace real --for 10s");
  app.footer("prints the path of the executable");
}

}  // namespace

int build_command(int argc, char** argv) {
  command_line::App app{"Compile a plant into one executable that needs nothing else on its target.", "takt build"};
  PlantArguments arguments;
  std::string target;
  declare(app, arguments, target);
  if (const std::optional<int> code = app.parse(argc, argv)) return *code;
  PlantBuild request = plant_build(arguments, false);
  request.target = checked_target(target, arguments.march);
  request.publish = !request.directory.empty();  // who names a folder finds bin/NAME there
  const std::optional<BuiltPlant> built = build_planned(request);
  if (!built) return exit_failed;
  if (!built->built) std::fputs("takt: up to date\n", stderr);
  std::puts(built->executable.c_str());
  return exit_ok;
}

}  // namespace takt::tools
