#include "tools/takt/fmu_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "codegen/fmu/type_names.hpp"

namespace takt::tools {

using namespace takt::codegen;

namespace {

FmuJson number(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "NaN" : value > 0 ? "INF" : "-INF";
}

FmuJson number(const std::optional<double>& value) { return value ? number(*value) : FmuJson(nullptr); }

std::string hexadecimal(const std::string& bytes) {
  std::string text;
  for (char c : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return text;
}

FmuJson start(const FmuVariable& variable) {
  FmuJson values = FmuJson::array();
  if (const auto* floats = std::get_if<std::vector<double>>(&variable.start))
    for (double value : *floats) values.push_back(number(value));
  else if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&variable.start))
    for (std::int64_t value : *integers)
      values.push_back(variable.type == FmuType::boolean ? FmuJson(value != 0) : FmuJson(value));
  else if (const auto* naturals = std::get_if<std::vector<std::uint64_t>>(&variable.start))
    for (std::uint64_t value : *naturals) values.push_back(value);
  else if (const auto* texts = std::get_if<std::vector<std::string>>(&variable.start))
    for (const std::string& value : *texts)
      values.push_back(variable.type == FmuType::binary ? hexadecimal(value) : value);
  else
    return nullptr;
  return values;
}

FmuJson json(const std::vector<FmuEnumerationItem>& items) {
  FmuJson result = FmuJson::array();
  for (const FmuEnumerationItem& item : items) result.push_back({{"name", item.name}, {"value", item.value}});
  return result;
}

FmuJson json(const FmuVariable& variable, const FmuDescription& fmu) {
  FmuJson result{{"name", variable.name},
                 {"valueReference", variable.reference},
                 {"type", text(variable.type)},
                 {"causality", text(variable.causality)},
                 {"variability", text(variable.variability)},
                 {"initial", text(variable.initial)},
                 {"description", variable.description},
                 {"start", start(variable)},
                 {"dimensions", FmuJson::array()},
                 {"size", variable.size},
                 {"unit", variable.unit},
                 {"displayUnit", variable.display_unit},
                 {"quantity", variable.quantity},
                 {"declaredType", variable.declared_type},
                 {"min", number(variable.min)},
                 {"max", number(variable.max)},
                 {"nominal", number(variable.nominal)},
                 {"relativeQuantity", variable.relative_quantity},
                 {"unbounded", variable.unbounded},
                 {"reinit", variable.reinit},
                 {"derivative", nullptr},
                 {"previous", nullptr},
                 {"aliases", variable.aliases},
                 {"clocks", variable.clocks},
                 {"line", variable.where.line}};
  for (const FmuDimension& dimension : variable.dimensions)
    result["dimensions"].push_back(dimension.size ? FmuJson{{"start", *dimension.size}}
                                                  : FmuJson{{"valueReference", dimension.reference.value_or(0)}});
  if (variable.derivative_of) result["derivative"] = fmu.variables[*variable.derivative_of].name;
  if (variable.previous) result["previous"] = fmu.variables[*variable.previous].name;
  if (!variable.items.empty()) result["items"] = json(variable.items);
  if (!variable.interval_variability.empty()) result["intervalVariability"] = variable.interval_variability;
  return result;
}

FmuJson json(const std::vector<FmuUnknown>& unknowns, const FmuDescription& fmu) {
  FmuJson result = FmuJson::array();
  for (const FmuUnknown& unknown : unknowns) {
    FmuJson one{{"variable", fmu.variables[unknown.variable].name}, {"dependencies", nullptr}};
    if (unknown.says_dependencies) one["dependencies"] = FmuJson::array();
    for (std::size_t dependency : unknown.dependencies) one["dependencies"].push_back(fmu.variables[dependency].name);
    if (!unknown.kinds.empty()) one["dependenciesKind"] = unknown.kinds;
    result.push_back(std::move(one));
  }
  return result;
}

FmuJson json(const std::optional<FmuInterface>& given) {
  if (!given) return nullptr;
  const FmuInterface& interface = *given;
  FmuJson result{{"modelIdentifier", interface.model_identifier},
                 {"needsExecutionTool", interface.needs_execution_tool},
                 {"canBeInstantiatedOnlyOncePerProcess", interface.only_once_per_process},
                 {"canNotUseMemoryManagementFunctions", interface.no_memory_management},
                 {"canGetAndSetFMUState", interface.get_and_set_state},
                 {"canSerializeFMUState", interface.serialize_state},
                 {"providesDirectionalDerivatives", interface.directional_derivatives},
                 {"providesAdjointDerivatives", interface.adjoint_derivatives},
                 {"providesPerElementDependencies", interface.element_dependencies},
                 {"providesEvaluateDiscreteStates", interface.evaluates_discrete_states},
                 {"needsCompletedIntegratorStep", !interface.completed_step_not_needed},
                 {"canHandleVariableCommunicationStepSize", interface.variable_step},
                 {"canInterpolateInputs", interface.interpolates_inputs},
                 {"canRunAsynchronuously", interface.runs_asynchronously},
                 {"maxOutputDerivativeOrder", interface.output_derivative_order},
                 {"fixedInternalStepSize", number(interface.fixed_internal_step)},
                 {"providesIntermediateUpdate", interface.intermediate_update},
                 {"mightReturnEarlyFromDoStep", interface.returns_early},
                 {"canReturnEarlyAfterIntermediateUpdate", interface.early_return},
                 {"hasEventMode", interface.has_event_mode}};
  if (!interface.source_files.empty()) result["sourceFiles"] = interface.source_files;
  return result;
}

FmuJson json(const FmuUnit& unit) {
  FmuJson result{{"name", unit.name}, {"base", nullptr}, {"displayUnits", FmuJson::array()}};
  if (unit.has_base)
    result["base"] = {{"kg", unit.si[0]},
                      {"m", unit.si[1]},
                      {"s", unit.si[2]},
                      {"A", unit.si[3]},
                      {"K", unit.si[4]},
                      {"mol", unit.si[5]},
                      {"cd", unit.si[6]},
                      {"rad", unit.si[7]},
                      {"factor", number(unit.factor)},
                      {"offset", number(unit.offset)}};
  for (const FmuDisplayUnit& shown : unit.display_units)
    result["displayUnits"].push_back({{"name", shown.name},
                                      {"factor", number(shown.factor)},
                                      {"offset", number(shown.offset)},
                                      {"inverse", shown.inverse}});
  return result;
}

FmuJson json(const FmuTypeDefinition& type) {
  return {{"name", type.name},        {"type", text(type.type)},          {"quantity", type.quantity},
          {"unit", type.unit},        {"displayUnit", type.display_unit}, {"min", number(type.min)},
          {"max", number(type.max)},  {"nominal", number(type.nominal)},  {"relativeQuantity", type.relative_quantity},
          {"items", json(type.items)}};
}

FmuJson json(const FmuTerminal& terminal, const FmuDescription& fmu) {
  FmuJson members = FmuJson::array();
  for (const auto& member : terminal.members)
    members.push_back({{"memberName", member.member_name},
                       {"variableKind", member.kind},
                       {"variable", fmu.variables[member.variable].name}});
  return {{"name", terminal.name},
          {"terminalKind", terminal.kind},
          {"matchingRule", terminal.matching_rule},
          {"members", members}};
}

FmuJson json(const FmuBuild& build) {
  FmuJson sets = FmuJson::array();
  for (const FmuSourceSet& set : build.sets) {
    FmuJson definitions = FmuJson::array();
    for (const auto& definition : set.definitions)
      definitions.push_back(
          {{"name", definition.name}, {"value", definition.value}, {"optional", definition.optional}});
    sets.push_back({{"name", set.name},
                    {"language", set.language},
                    {"files", set.files},
                    {"definitions", definitions},
                    {"includeDirectories", set.include_folders}});
  }
  return {{"modelIdentifier", build.model_identifier},
          {"platform", build.platform},
          {"sets", sets},
          {"libraries", build.libraries}};
}

template <class Each, class... Context>
FmuJson list(const std::vector<Each>& all, const Context&... context) {
  FmuJson result = FmuJson::array();
  for (const Each& each : all) result.push_back(json(each, context...));
  return result;
}

}  // namespace

FmuJson fmu_json(const FmuDescription& fmu) {
  return {{"file", fmu.file.string()},
          {"fmiVersion", fmu.version_text},
          {"modelName", fmu.model_name},
          {"token", fmu.token},
          {"description", fmu.description},
          {"author", fmu.author},
          {"version", fmu.model_version},
          {"copyright", fmu.copyright},
          {"license", fmu.license},
          {"generationTool", fmu.generation_tool},
          {"generationDateAndTime", fmu.generation_date},
          {"variableNamingConvention", fmu.fixed_structure_naming ? "structured" : "flat"},
          {"numberOfEventIndicators", fmu.event_indicators},
          {"coSimulation", json(fmu.co_simulation)},
          {"modelExchange", json(fmu.model_exchange)},
          {"scheduledExecution", fmu.scheduled_execution},
          {"defaultExperiment",
           {{"startTime", number(fmu.experiment.start)},
            {"stopTime", number(fmu.experiment.stop)},
            {"tolerance", number(fmu.experiment.tolerance)},
            {"stepSize", number(fmu.experiment.step)}}},
          {"platforms", fmu.platforms},
          {"sources", fmu.has_sources},
          {"builds", list(fmu.builds)},
          {"units", list(fmu.units)},
          {"types", list(fmu.types)},
          {"variables", list(fmu.variables, fmu)},
          {"outputs", json(fmu.outputs, fmu)},
          {"derivatives", json(fmu.state_derivatives, fmu)},
          {"clockedStates", json(fmu.clocked_states, fmu)},
          {"initialUnknowns", json(fmu.initial_unknowns, fmu)},
          {"eventIndicators", json(fmu.indicators, fmu)},
          {"terminals", list(fmu.terminals, fmu)}};
}

}  // namespace takt::tools
