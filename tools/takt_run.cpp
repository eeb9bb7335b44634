// takt run PLANT: builds the plant where needed and runs it; options the executable knows are handed on to it.

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "tools/command.hpp"
#include "tools/plant_arguments.hpp"

namespace takt::tools {
namespace {

void declare(CLI::App& app, PlantArguments& arguments) {
  declare_plant(app, arguments);
  declare_rig(app, arguments);
  declare_build(app, arguments);
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
  PlantArguments arguments;
  declare(app, arguments);
  if (const std::optional<int> code = parse(app, argc, argv)) return *code;
  const std::optional<BuiltPlant> built = build_plant(plant_build(arguments, true));
  return built ? execute(*built, app.remaining()) : exit_failed;
}

}  // namespace takt::tools
