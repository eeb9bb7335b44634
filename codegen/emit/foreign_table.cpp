// FMUs of the plant as data: read by takt-fmu-host (tools/fmu_host).

#include <map>
#include <nlohmann/json.hpp>

#include "codegen/emit/foreign_functions.hpp"
#include "codegen/emit/plant_parts.hpp"
#include "codegen/fmu/calls/call_table.hpp"
#include "codegen/fmu/fmu_description.hpp"
#include "codegen/text/escape.hpp"
#include "runtime/fmu/table_json.hpp"

namespace takt::codegen {
namespace {

using nlohmann::json;

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
      const fmu::Row row = *call_row(
          variable, static_cast<std::uint32_t>(start.size()));  // numbers only: codegen/model
      rows.push_back(fmu::row_json(row));
      const std::vector<double> own = start_of(variable);
      start.insert(start.end(), own.begin(), own.end());
    }
    slots.push_back(first[port.variable] + port.element);
  }
  return {{"rows", rows}, {"slots", slots}, {"start", start}};
}

json host_table(const ForeignModel& model) {
  const FmuDescription& fmu = *model.fmu;
  const auto ports = [](const std::vector<ForeignModel::Fed>& fed) {
    std::vector<ForeignModel::Port> all;
    for (const ForeignModel::Fed& one : fed) all.push_back(one.port);
    return all;
  };
  const auto kind = model.model_exchange ? fmu::Kind::model_exchange : fmu::Kind::co_simulation;
  fmu::Table calls = call_table(fmu, kind, {}, {});  // paths are the host's
  calls.can.directional_derivatives =
      calls.can.directional_derivatives && model.directional_derivatives;
  json table = fmu::table_json(calls);
  table["method"] = model.method;
  table["step"] = static_cast<double>(model.step_ns) / 1e9;
  table["inputs"] = table_of(fmu, ports(model.inputs));
  table["parameters"] = table_of(fmu, ports(model.parameters));
  table["outputs"] = table_of(fmu, model.outputs);
  return table;
}

std::string why_no_state(const ForeignModel& model) {
  for (const ForeignModel& member : model.members)
    if (const std::string why = why_no_state(member); !why.empty()) return member.path + ": " + why;
  if (!model.members.empty()) return {};
  const FmuInterface& interface =
      model.model_exchange ? *model.fmu->model_exchange : *model.fmu->co_simulation;
  const std::string suffix = model.fmu->version == FmiVersion::v2 ? "FMUstate" : "FMUState";
  if (!interface.get_and_set_state)
    return "it does not give its state (canGetAndSet" + suffix + ")";
  if (!interface.serialize_state)
    return "it does not give its state as bytes (canSerialize" + suffix + ")";
  return {};
}

json side_of(const ForeignModel& group, const ForeignJoin::Side& side) {
  const auto variable = [&](const ForeignJoin::Variable& one) -> json {
    return {{"reference", group.members[side.member].fmu->variables[one.variable].reference},
            {"factor", one.factor},
            {"offset", one.offset}};
  };
  return {{"member", side.member},
          {"across", variable(side.across)},
          {"through", variable(side.through)},
          {"sign", side.sign}};
}

/// Joined FMUs: the table of each, and what joins them. The signals of the joins follow the outputs
/// of all.
json group_table(const ForeignModel& group) {
  json members = json::array(), joins = json::array();
  for (const ForeignModel& member : group.members) {
    json table = host_table(member);
    table["folder"] = member.folder, table["name"] = member.path;
    members.push_back(table);
  }
  for (const ForeignJoin& join : group.joins)
    joins.push_back(
        {{"name", join.name}, {"a", side_of(group, join.a)}, {"b", side_of(group, join.b)}});
  const ForeignJoinSettings& of = group.join_settings;
  return {{"members", members},
          {"joins", joins},
          {"way", of.way},
          {"method", group.method},
          {"step", static_cast<double>(group.step_ns) / 1e9},
          {"stiffness", of.stiffness},
          {"damper", of.damper},
          {"gain", of.gain},
          {"limit", of.limit},
          {"iterations", of.iterations}};
}

}  // namespace

void write_foreign(Writer& text, const Network& network) {
  std::vector<std::string> rows;
  for (const ForeignModel& model : network.foreign) {
    const std::string why = why_no_state(model);
    const json table = model.members.empty() ? host_table(model) : group_table(model);
    Aggregate row;
    row.text("name", model.path).text("folder", model.folder).number("inputs", model.inputs.size());
    row.number("parameters", model.parameters.size()).number("outputs", model.outputs.size());
    row.code("why_no_state", why.empty() ? "nullptr" : string_literal(why))
        .text("table", table.dump(-1, ' ', true));
    rows.push_back(row.code());
  }
  text.blank();
  write_array(text, "takt::ForeignDescription", "foreign", rows);
}

}  // namespace takt::codegen
