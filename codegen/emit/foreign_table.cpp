// FMUs of the plant as data: read by takt-fmu-host (tools/fmu_host).

#include <map>
#include <nlohmann/json.hpp>

#include "codegen/emit/foreign_functions.hpp"
#include "codegen/emit/plant_parts.hpp"
#include "codegen/fmu/fmu_description.hpp"
#include "codegen/text/escape.hpp"

namespace takt::codegen {
namespace {

using nlohmann::json;

const char* word_of(FmuType type) {
  constexpr const char* words[] = {"float64", "float32", "int8",   "uint8",       "int16",
                                   "uint16",  "int32",   "uint32", "int64",       "uint64",
                                   "boolean", "string",  "binary", "enumeration", "clock"};
  return words[static_cast<std::size_t>(type)];
}

const char* use_of(const FmuVariable& variable) {
  const bool number = variable.type == FmuType::float64 || variable.type == FmuType::float32;
  if (variable.causality == FmuCausality::input)
    return number && variable.variability == FmuVariability::continuous ? "input_continuous" : "input_discrete";
  if (variable.causality == FmuCausality::parameter)
    return variable.variability == FmuVariability::tunable ? "tunable" : "start_exact";
  return "read";
}

std::vector<double> start_of(const FmuVariable& variable) {
  std::vector<double> values(variable.size, 0.0);
  const auto copy = [&](const auto& from) {
    for (std::size_t index = 0; index < from.size() && index < values.size(); ++index)
      values[index] = static_cast<double>(from[index]);
  };
  if (const auto* of = std::get_if<std::vector<double>>(&variable.start)) copy(*of);
  if (const auto* of = std::get_if<std::vector<std::int64_t>>(&variable.start)) copy(*of);
  if (const auto* of = std::get_if<std::vector<std::uint64_t>>(&variable.start)) copy(*of);
  return values;
}

/// Whole variables as rows, and where the ports stand among their elements.
json table_of(const FmuDescription& fmu, const std::vector<ForeignModel::Port>& ports) {
  json rows = json::array(), slots = json::array();
  std::vector<double> start;
  std::map<std::size_t, std::size_t> first;
  for (const ForeignModel::Port& port : ports) {
    const FmuVariable& variable = fmu.variables[port.variable];
    if (first.try_emplace(port.variable, start.size()).second) {
      rows.push_back({{"type", word_of(variable.type)},
                      {"reference", variable.reference},
                      {"first", start.size()},
                      {"count", variable.size},
                      {"use", use_of(variable)},
                      {"name", variable.name}});
      const std::vector<double> own = start_of(variable);
      start.insert(start.end(), own.begin(), own.end());
    }
    slots.push_back(first[port.variable] + port.element);
  }
  return {{"rows", rows}, {"slots", slots}, {"start", start}};
}

std::size_t elements(const FmuDescription& fmu, const std::vector<FmuUnknown>& unknowns) {
  std::size_t count = 0;
  for (const FmuUnknown& unknown : unknowns) count += fmu.variables[unknown.variable].size;
  return count;
}

json host_table(const ForeignModel& model) {
  const FmuDescription& fmu = *model.fmu;
  const FmuInterface& can = model.model_exchange ? *fmu.model_exchange : *fmu.co_simulation;
  const auto ports = [](const std::vector<ForeignModel::Fed>& fed) {
    std::vector<ForeignModel::Port> all;
    for (const ForeignModel::Fed& one : fed) all.push_back(one.port);
    return all;
  };
  return {{"version", fmu.version == FmiVersion::v2 ? 2 : 3},
          {"kind", model.model_exchange ? "me" : "cs"},
          {"method", model.method},
          {"identifier", can.model_identifier},
          {"token", fmu.token},
          {"states", elements(fmu, fmu.state_derivatives)},
          {"indicators", fmu.version == FmiVersion::v2 ? fmu.event_indicators : elements(fmu, fmu.indicators)},
          {"interpolates_inputs", can.interpolates_inputs},
          {"has_event_mode", can.has_event_mode},
          {"only_once_per_process", can.only_once_per_process},
          {"inputs", table_of(fmu, ports(model.inputs))},
          {"parameters", table_of(fmu, ports(model.parameters))},
          {"outputs", table_of(fmu, model.outputs)}};
}

}  // namespace

void write_foreign(Writer& text, const Network& network) {
  std::vector<std::string> rows;
  for (const ForeignModel& model : network.foreign)
    rows.push_back("{.name = " + string_literal(model.path) + ", .folder = " + string_literal(model.folder) +
                   ", .inputs = " + number(model.inputs.size()) + ", .parameters = " + number(model.parameters.size()) +
                   ", .outputs = " + number(model.outputs.size()) +
                   ", .table = " + string_literal(host_table(model).dump(-1, ' ', true)) + "}");
  text.blank();
  write_array(text, "takt::ForeignDescription", "foreign", rows);
}

}  // namespace takt::codegen
