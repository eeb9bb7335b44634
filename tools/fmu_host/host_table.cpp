#include "tools/fmu_host/host_table.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "runtime/fmu/table_json.hpp"

namespace takt::fmu_host {
namespace {

using nlohmann::json;

std::string library_in(const std::filesystem::path& folder, const std::string& identifier) {
  for (const auto& entry : std::filesystem::directory_iterator(folder / "binaries"))
    if (const auto file = entry.path() / (identifier + ".so"); std::filesystem::exists(file)) return file.string();
  throw std::runtime_error("there is no " + identifier + ".so below " + (folder / "binaries").string());
}

}  // namespace

Ports ports_of(fmu::Version version, const json& text) {
  std::vector<fmu::Row> rows;
  for (const json& row : text.at("rows")) rows.push_back(fmu::row_of(row));
  Ports ports{fmu::RowSet(version, rows),
              text.at("start").get<std::vector<double>>(),
              {},
              text.at("slots").get<std::vector<std::size_t>>()};
  ports.values = ports.start;
  return ports;
}

void set_paths(fmu::Table& table, const std::filesystem::path& folder) {
  table.library = library_in(folder, table.model_identifier);
  table.resources = (folder / "resources").string();
}

fmu::Table table_of(const json& text, const std::filesystem::path& folder) {
  fmu::Table table = fmu::table_of(text);
  set_paths(table, folder);
  return table;
}

}  // namespace takt::fmu_host
