#include "tools/takt/fmu_info.hpp"

#include <cstdio>

#include "codegen/fmu/read_fmu.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/fmu_json.hpp"
#include "tools/takt/fmu_text.hpp"

namespace takt::tools {

using namespace takt::codegen;

FmuInfoCommand::FmuInfoCommand(CLI::App& app)
    : app_(app.add_subcommand("info", "what an FMU offers: interfaces, variables, units, structure")) {
  app_->add_option("file", file_, "FMU")->required();
  app_->add_flag("--json", json_, "all of it, as one JSON object");
}

int FmuInfoCommand::run() const {
  Diagnostics diagnostics;
  const auto fmu = read_fmu(existing_file(file_, "FMU"), diagnostics);
  std::fputs(diagnostics.render().c_str(), stderr);
  if (!fmu) return exit_failed;
  std::fputs(
      (json_ ? fmu_json(*fmu).dump(2, ' ', false, FmuJson::error_handler_t::replace) + "\n" : fmu_text(*fmu)).c_str(),
      stdout);
  return exit_ok;
}

FmuCheckCommand::FmuCheckCommand(CLI::App& app)
    : app_(app.add_subcommand("check", "whether an FMU keeps the rules of FMI; nothing of it is loaded")) {
  app_->add_option("file", file_, "FMU")->required();
}

int FmuCheckCommand::run() const {
  Diagnostics diagnostics;
  const auto fmu = read_fmu(existing_file(file_, "FMU"), diagnostics);
  std::fputs(diagnostics.render().c_str(), stdout);
  const std::size_t errors = diagnostics.error_count();
  std::printf("%s: %zu errors, %zu warnings\n", file_.c_str(), errors, diagnostics.all().size() - errors);
  return fmu && errors == 0 ? exit_ok : exit_failed;
}

}  // namespace takt::tools
