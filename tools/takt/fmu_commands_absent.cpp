// takt fmu run and test in a build without the headers of FMI.

#include <CLI/CLI.hpp>
#include <cstdio>

#include "tools/takt/command.hpp"
#include "tools/takt/fmu_commands.hpp"

namespace takt::tools {

struct FmuRunArguments {};
struct FmuTestArguments {};

namespace {

CLI::App* declared(CLI::App& app, const char* name) {
  CLI::App* own = app.add_subcommand(name, "not in this build: the headers of FMI were missing");
  own->allow_extras();
  return own;
}

int absent(const char* name) {
  std::fprintf(stderr,
               "takt fmu %s: this takt was built without FMUs: the headers of FMI were missing\n"
               "  run `tools/install_packages.sh build` in the source tree, then build takt again\n",
               name);
  return exit_failed;
}

}  // namespace

FmuRunCommand::FmuRunCommand(CLI::App& app) : app_(declared(app, "run")) {}
FmuRunCommand::~FmuRunCommand() = default;
bool FmuRunCommand::parsed() const { return app_->parsed(); }
int FmuRunCommand::run() const { return absent("run"); }

FmuTestCommand::FmuTestCommand(CLI::App& app) : app_(declared(app, "test")) {}
FmuTestCommand::~FmuTestCommand() = default;
bool FmuTestCommand::parsed() const { return app_->parsed(); }
int FmuTestCommand::run() const { return absent("test"); }

}  // namespace takt::tools
