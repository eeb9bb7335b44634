#include "tools/fmu_host/host_table.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace takt::fmu_host {
namespace {

using nlohmann::json;

fmu::Row row_of(const json& text) {
  return {.type = text.at("type").get<fmu::Type>(),
          .reference = text.at("reference").get<std::uint32_t>(),
          .first = text.at("first").get<std::uint32_t>(),
          .count = text.at("count").get<std::uint32_t>(),
          .use = text.at("use").get<fmu::Use>()};
}

std::string library_in(const std::filesystem::path& folder, const std::string& identifier) {
  for (const auto& entry : std::filesystem::directory_iterator(folder / "binaries"))
    if (const auto file = entry.path() / (identifier + ".so"); std::filesystem::exists(file)) return file.string();
  throw std::runtime_error("there is no " + identifier + ".so below " + (folder / "binaries").string());
}

}  // namespace

Ports ports_of(fmu::Version version, const json& text) {
  std::vector<fmu::Row> rows;
  for (const json& row : text.at("rows")) rows.push_back(row_of(row));
  Ports ports{fmu::RowSet(version, rows),
              text.at("start").get<std::vector<double>>(),
              {},
              text.at("slots").get<std::vector<std::size_t>>()};
  ports.values = ports.start;
  return ports;
}

fmu::Table table_of(const json& text, const std::filesystem::path& folder) {
  fmu::Table table;
  table.version = text.at("version").get<fmu::Version>();
  table.kind = text.at("kind").get<fmu::Kind>();
  table.model_identifier = text.at("identifier").get<std::string>();
  table.library = library_in(folder, table.model_identifier);
  table.resources = (folder / "resources").string();
  table.token = text.at("token").get<std::string>();
  table.states = text.at("states").get<std::size_t>();
  table.indicators = text.at("indicators").get<std::size_t>();
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

}  // namespace takt::fmu_host
