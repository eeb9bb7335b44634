// takt fmu: Functional Mock-up Units. One file per sub-command.

#include <CLI/CLI.hpp>

#include "tools/takt/arguments.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/fmu_commands.hpp"
#include "tools/takt/fmu_info.hpp"

namespace takt::tools {

int fmu_command(int argc, char** argv) {
  CLI::App app{"Functional Mock-up Units (FMI 2.0 and 3.0).", "takt fmu"};
  app.require_subcommand(1);
  app.footer("examples:\n  takt fmu info tank.fmu\n  takt fmu info tank.fmu --json\n  takt fmu check tank.fmu");
  const FmuInfoCommand info(app);
  const FmuCheckCommand check(app);
  const FmuRunCommand run(app);
  const FmuTestCommand test(app);
  if (const std::optional<int> code = parse(app, argc, argv)) return *code;
  if (info.parsed()) return info.run();
  if (run.parsed()) return run.run();
  if (test.parsed()) return test.run();
  return check.run();
}

}  // namespace takt::tools
