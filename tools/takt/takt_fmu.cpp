// takt fmu: Functional Mock-up Units. One file per sub-command.

#include <string>
#include <string_view>
#include <vector>

#include "runtime/command_line/command_line.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/fmu_command.hpp"
#include "tools/takt/fmu_commands.hpp"
#include "tools/takt/fmu_info.hpp"

namespace takt::tools {

namespace {

/// It has options as `takt build` has: a command of its own.
int export_with(int argc, char** argv) {
  std::string name = "takt fmu export";
  std::vector<char*> arguments(argv + 1, argv + argc);
  arguments.front() = name.data();
  arguments.push_back(nullptr);
  return fmu_export_command(argc - 1, arguments.data());
}

}  // namespace

int fmu_command(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "export") return export_with(argc, argv);
  command_line::App app{"Functional Mock-up Units (FMI 2.0 and 3.0).", "takt fmu"};
  app.require_subcommand(1);
  app.example(
      "takt fmu info tank.fmu\n"
      "takt fmu check tank.fmu\n"
      "takt fmu run tank.fmu --for 10s --out runs/tank\n"
      "takt fmu test tank.fmu --step 1ms\n"
      "takt fmu export config/plants/rc --out rc.fmu");
  const FmuInfoCommand info(app);
  const FmuCheckCommand check(app);
  const FmuRunCommand run(app);
  const FmuTestCommand test(app);
  app.add_subcommand("export", "a plant as an FMU of FMI 2 or 3; `takt fmu export --help` tells more");
  if (const std::optional<int> code = app.parse(argc, argv)) return *code;
  if (info.parsed()) return info.run();
  if (run.parsed()) return run.run();
  if (test.parsed()) return test.run();
  return check.run();
}

}  // namespace takt::tools
