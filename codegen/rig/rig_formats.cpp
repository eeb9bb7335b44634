// Formats of frames that a rig knows better than the database of its bus.

#include "codegen/rig/rig_reader.hpp"

namespace takt::codegen {
namespace {

/// "MESSAGE" = { fd = true }. Whether it makes sense there is for who binds the maps: what is wrong
/// is said once.
void set_messages(Dbc& dbc, const TomlValue& map) {
  const std::array<std::string, 1> keys{"fd"};
  Diagnostics said_later;
  for (const MapSettings& settings : read_map(map, keys, said_later).settings) {
    const TomlValue* const fd = settings.value->get("fd");
    if (fd == nullptr || !fd->is(TomlValue::Kind::boolean)) continue;
    for (DbcMessage& message : dbc.messages)
      if (message.name == settings.message) set_fd(message, fd->flag);
  }
}

}  // namespace

void read_formats(BusMap& bus, RigTable& table, std::span<const TomlValue* const> maps) {
  auto dbc = std::make_shared<Dbc>(*bus.dbc);
  if (const auto fd = table.flag("fd")) set_fd(*dbc, *fd);
  if (const auto j1939 = table.flag("j1939")) set_j1939(*dbc, *j1939);
  for (const TomlValue* const map : maps)
    if (map != nullptr && map->is_table()) set_messages(*dbc, *map);
  bus.dbc = std::move(dbc);
}

}  // namespace takt::codegen
