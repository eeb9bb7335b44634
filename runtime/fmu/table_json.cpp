#include "runtime/fmu/table_json.hpp"

#include <nlohmann/json.hpp>

namespace takt::fmu {

using nlohmann::json;

json row_json(const Row& row) {
  return {
      {"type", row.type}, {"reference", row.reference}, {"first", row.first}, {"count", row.count}, {"use", row.use}};
}

Row row_of(const json& text) {
  return {.type = text.at("type").get<Type>(),
          .reference = text.at("reference").get<std::uint32_t>(),
          .first = text.at("first").get<std::uint32_t>(),
          .count = text.at("count").get<std::uint32_t>(),
          .use = text.at("use").get<Use>()};
}

json table_json(const Table& table) {
  return {{"version", table.version},
          {"kind", table.kind},
          {"identifier", table.model_identifier},
          {"token", table.token},
          {"states", table.states},
          {"indicators", table.indicators},
          {"state_references", table.state_references},
          {"rate_references", table.rate_references},
          {"completed_step_not_needed", table.can.completed_step_not_needed},
          {"gives_state", table.can.get_and_set_state && table.can.serialize_state},
          {"has_event_mode", table.can.has_event_mode},
          {"may_return_early", table.can.may_return_early},
          {"interpolates_inputs", table.can.interpolates_inputs},
          {"only_once_per_process", table.can.only_once_per_process},
          {"get_and_set_state", table.can.get_and_set_state},
          {"directional_derivatives", table.can.directional_derivatives}};
}

Table table_of(const json& text) {
  Table table;
  table.version = text.at("version").get<Version>();
  table.kind = text.at("kind").get<Kind>();
  table.model_identifier = text.at("identifier").get<std::string>();
  table.token = text.at("token").get<std::string>();
  table.states = text.at("states").get<std::size_t>();
  table.indicators = text.at("indicators").get<std::size_t>();
  table.state_references = text.at("state_references").get<std::vector<std::uint32_t>>();
  table.rate_references = text.at("rate_references").get<std::vector<std::uint32_t>>();
  table.can.completed_step_not_needed = text.at("completed_step_not_needed").get<bool>();
  table.can.may_return_early = text.at("may_return_early").get<bool>();
  table.can.has_event_mode = text.at("has_event_mode").get<bool>();
  table.can.interpolates_inputs = text.at("interpolates_inputs").get<bool>();
  table.can.only_once_per_process = text.at("only_once_per_process").get<bool>();
  table.can.get_and_set_state = text.at("get_and_set_state").get<bool>();
  table.can.serialize_state = text.at("gives_state").get<bool>();
  table.can.directional_derivatives = text.at("directional_derivatives").get<bool>();
  return table;
}

}  // namespace takt::fmu
