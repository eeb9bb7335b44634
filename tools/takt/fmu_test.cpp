// takt fmu test FILE
#include <CLI/CLI.hpp>

#include "tools/takt/command.hpp"
#include "tools/takt/fmu_commands.hpp"

namespace takt::tools {
struct FmuTestArguments {};
FmuTestCommand::FmuTestCommand(CLI::App& app) : app_(app.add_subcommand("test", "")) {}
FmuTestCommand::~FmuTestCommand() = default;
bool FmuTestCommand::parsed() const { return app_->parsed(); }
int FmuTestCommand::run() const { return exit_failed; }
}  // namespace takt::tools
