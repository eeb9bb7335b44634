#include "tools/takt/fmu_observed.hpp"

#include <algorithm>
#include <limits>

#include "codegen/fmu/calls/call_table.hpp"
#include "codegen/plan/patterns.hpp"
#include "tools/takt/arguments.hpp"

namespace takt::tools {
namespace {

bool wanted(const codegen::FmuVariable& variable, const std::vector<std::string>& patterns) {
  if (patterns.empty()) return variable.causality == codegen::FmuCausality::output;
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
    return pattern == variable.name || codegen::pattern_matches(pattern, variable.name);
  });
}

void require_matches(const codegen::FmuDescription& fmu, const std::vector<std::string>& patterns) {
  for (const std::string& pattern : patterns) {
    const auto named = std::find_if(fmu.variables.begin(), fmu.variables.end(), [&](const auto& variable) {
      return variable.name == pattern || codegen::pattern_matches(pattern, variable.name);
    });
    if (named == fmu.variables.end())
      throw UsageError("--output " + pattern + ": the FMU has no such variable (`takt fmu info` lists them)");
    if (named->name == pattern && !codegen::call_type(named->type))
      throw UsageError("--output " + pattern + ": a text, binary or clock is not recorded");
  }
}

}  // namespace

Observed observed_variables(const codegen::FmuDescription& fmu, const std::vector<std::string>& patterns) {
  require_matches(fmu, patterns);
  Observed observed;
  for (const codegen::FmuVariable& variable : fmu.variables) {
    if (!wanted(variable, patterns)) continue;
    const auto row = codegen::call_row(variable, static_cast<std::uint32_t>(observed.names.size()));
    if (!row) continue;
    observed.rows.push_back(*row);
    for (const std::string& name : codegen::element_names(fmu, variable)) {
      observed.names.push_back(name);
      observed.units.push_back(variable.unit);
    }
  }
  return observed;
}

std::vector<codegen::DeclaredRange> observed_ranges(const codegen::FmuDescription& fmu,
                                                    const std::vector<std::string>& patterns) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  std::vector<codegen::DeclaredRange> ranges;
  for (const codegen::FmuVariable& variable : fmu.variables)
    if (wanted(variable, patterns) && codegen::call_type(variable.type))
      ranges.resize(ranges.size() + codegen::element_names(fmu, variable).size(),
                    codegen::declared_range(variable).value_or(codegen::DeclaredRange{-infinite, infinite, ""}));
  return ranges;
}

}  // namespace takt::tools
