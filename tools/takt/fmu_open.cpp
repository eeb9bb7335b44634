#include "tools/takt/fmu_open.hpp"

#include <cstdio>

#include "codegen/fmu/calls/call_table.hpp"
#include "codegen/fmu/findings.hpp"
#include "codegen/fmu/read_fmu.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/fmu_sources.hpp"

namespace takt::tools {
namespace {

fmu::Kind chosen_kind(const codegen::FmuDescription& fmu, const std::string& wanted) {
  const bool slave = fmu.co_simulation.has_value(), model = fmu.model_exchange.has_value();
  const std::string name = fmu.file.filename().string();
  if (!slave && !model)
    throw std::runtime_error(
        name +
        " offers scheduled execution only, which takt does not run: export it for co-simulation or model exchange");
  if (wanted == "cs" && !slave) throw std::runtime_error(name + " has no co-simulation: use --kind me");
  if (wanted == "me" && !model) throw std::runtime_error(name + " has no model exchange: use --kind cs");
  const bool is_model = wanted == "me" || (wanted.empty() && !slave);
  return is_model ? fmu::Kind::model_exchange : fmu::Kind::co_simulation;
}

/// Clocks and structures that change are not served: refused, not run wrongly.
void refuse_what_is_not_served(const codegen::FmuDescription& fmu, const codegen::FmuInterface& own) {
  const std::string name = fmu.file.filename().string();
  for (const codegen::FmuVariable& variable : fmu.variables)
    if (variable.type == codegen::FmuType::clock && variable.causality == codegen::FmuCausality::input)
      throw std::runtime_error(name + ": the input '" + variable.name +
                               "' is a clock: takt does not tick clocks of FMI 3; export the model without clocks");
  if (own.needs_execution_tool)
    std::fprintf(stderr, "warning: %s needs its tool on this machine (needsExecutionTool)\n", name.c_str());
}

std::runtime_error failed(const codegen::Diagnostics& diagnostics) {
  std::string text = diagnostics.render();
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return std::runtime_error(text);
}

}  // namespace

OpenFmu open_fmu(const std::filesystem::path& file, const std::string& kind, bool strict) {
  codegen::Diagnostics diagnostics;
  std::optional<codegen::FmuDescription> description =
      codegen::read_fmu(existing_file(file.string(), "FMU"), diagnostics);
  if (strict) diagnostics = codegen::as_errors(diagnostics);
  if (!description || diagnostics.has_errors()) throw failed(diagnostics);
  OpenFmu open{std::move(*description), std::make_unique<TemporaryFolder>(), {}, {}};
  const fmu::Kind chosen = chosen_kind(open.description, kind);
  open.table.kind = chosen;
  refuse_what_is_not_served(open.description, open.interface());
  const std::filesystem::path folder = std::filesystem::absolute(open.folder->path() / "fmu");
  open.unpacked = folder;
  if (!codegen::unpack_fmu(open.description, folder, diagnostics) ||
      !compile_sources(open.description, folder, diagnostics))
    throw failed(diagnostics);
  const auto library = codegen::fmu_library(open.description, open.interface(), folder);
  if (!library)
    throw std::runtime_error(file.string() + " has no library '" + open.interface().model_identifier +
                             ".so' for this machine");
  if (!diagnostics.all().empty()) std::fputs(codegen::told_once(diagnostics).render().c_str(), stderr);
  open.table = codegen::call_table(open.description, chosen, folder, *library);
  return open;
}

}  // namespace takt::tools
