#include "codegen/modelica/import_map.hpp"

#include <nlohmann/json.hpp>

namespace takt::codegen::modelica {
namespace {

using MapJson = nlohmann::ordered_json;

void describe(MapJson& json, const FlatVariable& declared) {
  if (!declared.unit.empty()) json["unit"] = declared.unit;
  if (!declared.description.empty()) json["description"] = declared.description;
  for (const auto& [name, value] : {std::pair{"min", declared.min}, {"max", declared.max}})
    if (value != nullptr && value->kind == FlatExpression::Kind::number) json[name] = value->number;
}

}  // namespace

void ImportMap::add_signal(const ScalarVariable& variable, std::string path, int sign) {
  Entry made;
  made.signal = std::move(path);
  made.sign = sign;
  made.declared = variable.declared;
  entries_[variable.name] = std::move(made);
}

void ImportMap::add_alias(const ScalarVariable& variable, const std::string& of, int sign) {
  Entry made;
  made.of = of;
  made.sign = sign;
  made.declared = variable.declared;
  entries_[variable.name] = std::move(made);
}

void ImportMap::add_value(const ScalarVariable& variable, double value) {
  Entry made;
  made.value = value;
  made.declared = variable.declared;
  entries_[variable.name] = std::move(made);
}

void ImportMap::add_parameter(const TunableParameter& parameter, std::string path) {
  Entry made;
  made.parameter = std::move(path);
  made.declared = parameter.declared;
  entries_[parameter.name] = std::move(made);
}

ImportMap::Entry ImportMap::resolved(const Entry& entry) const {
  if (entry.of.empty()) return entry;
  const auto found = entries_.find(entry.of);
  if (found == entries_.end()) return entry;
  Entry made = resolved(found->second);
  made.sign *= entry.sign;
  made.value *= entry.sign;
  made.declared = entry.declared;
  return made;
}

std::optional<std::string> ImportMap::signal(const std::string& name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) return std::nullopt;
  const Entry entry = resolved(found->second);
  return entry.signal.empty() ? std::nullopt : std::optional(entry.signal);
}

std::vector<std::string> ImportMap::names() const {
  std::vector<std::string> made;
  for (const auto& [name, entry] : entries_) made.push_back(name);
  return made;
}

std::string ImportMap::text(const ScalarModel& model, const std::string& origin) const {
  MapJson json;
  json["source"] = origin;
  const ImportCounts& counts = model.counts;
  json["counts"] = {{"declared", counts.declared},
                    {"scalar_equations", counts.equations},
                    {"equations_without_aliases", model.equations.size()},
                    {"initial_equations", counts.initial_equations},
                    {"functions_written_out", counts.functions},
                    {"assertions_not_taken_over", counts.assertions}};
  MapJson variables = MapJson::object();
  for (const auto& [name, entry] : entries_) {
    const Entry is = resolved(entry);
    MapJson one;
    if (!is.parameter.empty())
      one["parameter"] = is.parameter;
    else if (!is.signal.empty())
      one["signal"] = is.signal;
    else
      one["value"] = is.value;
    if (is.sign < 0 && !is.signal.empty()) one["sign"] = -1;
    describe(one, *entry.declared);
    variables[name] = std::move(one);
  }
  json["variables"] = std::move(variables);
  MapJson fixed = MapJson::object();
  for (const auto& [name, reason] : model.fixed_parameters) fixed[name] = reason;
  json["parameters_that_are_numbers"] = std::move(fixed);
  return json.dump(1, ' ', false, MapJson::error_handler_t::replace) + "\n";
}

}  // namespace takt::codegen::modelica
