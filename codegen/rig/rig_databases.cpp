// `dbc` of a bus: one CAN database, or several that are one.

#include <algorithm>
#include <filesystem>

#include "codegen/rig/rig_reader.hpp"

namespace takt::codegen {
namespace {

namespace fs = std::filesystem;

std::string place(const Location& where) {
  return fs::path(where.file.text()).filename().string() + ":" + std::to_string(where.line);
}

/// Its findings keep their own places, a missing file is located in the rig file.
std::optional<Dbc> read_database(const TomlValue& value, const fs::path& folder, Rig& rig,
                                 Diagnostics& diagnostics) {
  const auto path = (folder / value.text).lexically_normal();
  if (std::error_code unreadable; !fs::is_regular_file(path, unreadable)) {
    diagnostics.error("B010", value.text_where, "cannot read the CAN database " + path.string(),
                      "the path is relative to the rig file");
    return std::nullopt;
  }
  const auto errors = diagnostics.error_count();
  auto dbc = load_dbc(path.string(), diagnostics);
  rig.files.push_back(path.string());
  if (diagnostics.error_count() > errors) return std::nullopt;
  return dbc;
}

/// Messages of the bus are told apart by their ids, those of the rig file by their names.
void check_clash(const Dbc& dbc, const DbcMessage& message, Diagnostics& diagnostics) {
  const DbcMessage* const same_id = dbc.find(message.id, message.extended);
  const DbcMessage* const same_name = dbc.find(message.name);
  if (same_id != nullptr)
    diagnostics.error("B045", message.where,
                      "message " + message.name + " has the id of " + same_id->name + " in " +
                          place(same_id->where),
                      "on one bus an id is one message: leave one of the two out");
  else if (same_name != nullptr)
    diagnostics.error(
        "B045", message.where,
        "a message " + message.name + " with another id stands in " + place(same_name->where),
        "the rig file names messages by their names: rename one of the two");
}

/// Nodes of the same name are one.
void join(Dbc& dbc, Dbc other, Diagnostics& diagnostics) {
  for (const DbcMessage& message : other.messages) check_clash(dbc, message, diagnostics);
  const auto append = [](auto& to, auto& from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  };
  append(dbc.messages, other.messages);
  append(dbc.value_tables, other.value_tables);
  append(dbc.broken, other.broken);
  for (const std::string& node : other.nodes)
    if (std::find(dbc.nodes.begin(), dbc.nodes.end(), node) == dbc.nodes.end())
      dbc.nodes.push_back(node);
}

}  // namespace

std::shared_ptr<const Dbc> read_databases(Rig& rig, const std::string& title,
                                          const TomlValue& value, Diagnostics& diagnostics) {
  const bool is_list = value.is_array();
  const auto files = is_list ? std::span(value.items) : std::span(&value, 1);
  const auto is_text = [](const TomlValue& file) { return file.is_string(); };
  if (files.empty() || !std::all_of(files.begin(), files.end(), is_text)) {
    diagnostics.error("B003", value.where,
                      "'dbc' of " + title + " must be the path of a file, or a list of paths",
                      "dbc = \"FILE.dbc\", relative to the rig file");
    return nullptr;
  }
  const fs::path folder = fs::path(rig.files.front()).parent_path();
  const auto errors = diagnostics.error_count();
  std::optional<Dbc> all;
  for (const TomlValue& file : files) {
    const auto same = [&](const TomlValue& before) { return before.text == file.text; };
    if (std::any_of(files.data(), &file, same)) {
      diagnostics.error("B045", file.text_where,
                        "'dbc' of " + title + " names " + file.text + " twice");
      continue;
    }
    auto dbc = read_database(file, folder, rig, diagnostics);
    if (!dbc) continue;
    if (all)
      join(*all, std::move(*dbc), diagnostics);
    else
      all = std::move(dbc);
  }
  if (!all || diagnostics.error_count() > errors) return nullptr;
  return std::make_shared<const Dbc>(std::move(*all));
}

std::string line_text(const Dbc& dbc, const Location& where) {
  const std::string file =
      where.file.text() == dbc.file ? "the database" : fs::path(where.file.text()).filename();
  return "line " + std::to_string(where.line) + " of " + file;
}

}  // namespace takt::codegen
