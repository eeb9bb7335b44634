#include "tools/takt/fmu_info.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "codegen/fmu/findings.hpp"
#include "codegen/fmu/read_fmu.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/fmu_json.hpp"
#include "tools/takt/fmu_text.hpp"

namespace takt::tools {

using namespace takt::codegen;

namespace {

/// Findings on the schema: of an attribute that no schema has one can go on, so it is a warning, but a rule is broken.
bool is_of_schema(const Diagnostic& finding) {
  return finding.code == "Y015" || finding.code == "Y016" || finding.code == "Y017" || finding.code == "Y019";
}

bool keeps_the_rules(const std::string& file, bool strict) {
  Diagnostics diagnostics;
  const auto fmu = read_fmu(existing_file(file, "FMU"), diagnostics);
  if (strict) diagnostics = as_errors(diagnostics);
  std::fputs(diagnostics.render().c_str(), stdout);
  const std::size_t errors = diagnostics.error_count();
  const bool by_schema = std::none_of(diagnostics.all().begin(), diagnostics.all().end(), is_of_schema);
  std::printf("%s: %zu errors, %zu warnings%s\n", file.c_str(), errors, diagnostics.all().size() - errors,
              errors == 0 && !by_schema ? "; it breaks the schema of FMI, but can be used" : "");
  return fmu && errors == 0 && by_schema;
}

}  // namespace

FmuInfoCommand::FmuInfoCommand(command_line::App& app)
    : app_(app.add_subcommand("info", "what an FMU offers: interfaces, variables, units, structure")) {
  app_->add_option("file", file_, "FMU")->required();
  app_->add_flag("--json", json_, "all of it, as one JSON object");
}

int FmuInfoCommand::run() const {
  Diagnostics diagnostics;
  const auto fmu = read_fmu(existing_file(file_, "FMU"), diagnostics);
  std::fputs(told_once(diagnostics).render().c_str(), stderr);
  if (!fmu) return exit_failed;
  std::fputs(
      (json_ ? fmu_json(*fmu).dump(2, ' ', false, FmuJson::error_handler_t::replace) + "\n" : fmu_text(*fmu)).c_str(),
      stdout);
  return exit_ok;
}

FmuCheckCommand::FmuCheckCommand(command_line::App& app)
    : app_(app.add_subcommand("check", "whether FMUs keep the rules of FMI; nothing of them is loaded")) {
  app_->add_option("file", files_, "FMUs")->required();
  app_->add_flag("--strict", strict_, "a rule of the standard that can be lived with is an error, too");
}

int FmuCheckCommand::run() const {
  bool all_keep = true;
  for (const std::string& file : files_) all_keep = keeps_the_rules(file, strict_) && all_keep;
  return all_keep ? exit_ok : exit_failed;
}

}  // namespace takt::tools
