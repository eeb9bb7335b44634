// [bus.NAME] with kind = "can"; the maps are bound in rig_bind.cpp.

#include <algorithm>
#include <array>
#include <map>

#include "codegen/rig/bus_kind.hpp"
#include "codegen/rig/kinds/can/emit_can.hpp"
#include "codegen/rig/rig_protect.hpp"
#include "codegen/text/nearest.hpp"
#include "runtime/plant/bus_token.hpp"

namespace takt::codegen {
namespace {

constexpr std::int64_t ms = 1'000'000, second = 1'000'000'000;

void read_simulate(BusMap& bus, RigTable& table, Diagnostics& diagnostics) {
  for (const auto& [node, where] : table.texts("simulate")) {
    if (!bus.dbc) continue;
    std::vector<std::string> nodes =
        bus.dbc->nodes;  // and senders that the database does not list as nodes
    for (const DbcMessage& message : bus.dbc->messages)
      nodes.insert(nodes.end(), message.senders.begin(), message.senders.end());
    if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) {
      diagnostics.error("B020", where, "the database has no node '" + node + "'",
                        did_you_mean(node, nodes));
    } else {
      bus.simulate.push_back(node);
    }
  }
}

void read_token(BusMap& bus, const TomlValue& value, RigTable& table, Diagnostics& diagnostics) {
  const auto token = table.text("token");
  if (!token) return;
  bus.token = *token;
  const bool by_name =
      token->starts_with(bus_token_variable) && token->size() > bus_token_variable.size();
  if (!by_name && !is_bus_token(*token))
    diagnostics.error(
        "B004", value.get("token")->text_where,
        "'token' of [bus." + bus.name + "] is no token: it has " + std::string(bus_token_rule),
        "token = \"env:PLANT_TOKEN\" takes that of an environment variable when the plant starts");
}

/// A word, or a list of words.
void read_trace(BusMap& bus, RigTable& table, Diagnostics& diagnostics) {
  const TomlValue* const value = table.any("trace");
  if (value == nullptr) return;
  std::vector<std::pair<std::string, Location>> words;
  if (value->is_array())
    words = table.texts("trace");
  else if (const auto word = table.text("trace"))
    words.emplace_back(*word, value->text_where);
  for (const auto& [word, where] : words) {
    const auto format = trace_format_of(word);
    if (format) bus.trace = static_cast<TraceFormats>(bus.trace | *format);
    if (!format)
      diagnostics.error("B004", where,
                        "'trace' of [bus." + bus.name + "] knows no format '" + word + "'",
                        "write " + std::string(trace_format_rule) + " in a list");
  }
}

/// What clients of one protocol will not see.
void warn_about_fd(const BusMap& bus, Diagnostics& diagnostics) {
  std::string names;
  const auto add = [&](std::size_t index) {
    const DbcMessage& message = bus.dbc->messages[index];
    if (message.fd && (", " + names + ", ").find(", " + message.name + ", ") == std::string::npos)
      names += (names.empty() ? "" : ", ") + message.name;
  };
  for (const auto* maps : {&bus.send, &bus.receive})
    for (const MessageMap& map : *maps) add(map.message);
  for (const RestMessage& rest : bus.rest) add(rest.message);
  if (!names.empty() && bus.virtual_only)
    diagnostics.warning(
        "B037", bus.where,
        "CAN FD on the virtual bus (" + names +
            "): only clients that speak slcan have these messages",
        "socketcand has no CAN FD; python-can: interface=\"slcan\", channel=\"socket://127.0.0.1:" +
            std::to_string(bus.port) + "\"");
}

void read_can_bus(Rig& rig, const BusEntry& given, Diagnostics& diagnostics) {
  const TomlEntry& entry = given.entry;
  RigTable& table = given.table;
  const std::string title = "[bus." + entry.key + "]";
  const auto errors = diagnostics.error_count();
  BusMap bus;
  bus.name = entry.key;
  bus.where = entry.where;
  bus.channel = table.text("channel").value_or(bus.name);
  if (bus.channel.empty() || bus.channel.size() > 15 ||
      bus.channel.find_first_of(" /<>\t\n") != std::string::npos) {
    const TomlValue* channel = entry.value.get("channel");
    diagnostics.error(
        "B004", channel != nullptr ? channel->text_where : entry.where,
        (channel != nullptr ? "'channel'" : title + " names no channel, and its own name") +
            " is no name of a network interface: 1 to 15 letters, no blanks",
        "channel = \"can0\"");
  }
  bus.virtual_only = table.flag("virtual").value_or(false);
  bus.port = static_cast<std::uint16_t>(
      table.whole("port", 1, 65535).value_or(static_cast<std::int64_t>(29536 + rig.buses.size())));
  read_token(bus, entry.value, table, diagnostics);
  read_trace(bus, table, diagnostics);
  read_link(bus, table, diagnostics);
  bus.grid_ns = table.duration("grid", ms / 20, 100 * ms).value_or(ms / 2);
  const auto timeout = table.duration("timeout", 0, 3600 * second);
  if (const TomlValue* const files = table.any("dbc")) {
    bus.dbc = read_databases(rig, title, *files, diagnostics);
  } else {
    diagnostics.error("B010", entry.where, title + " names no CAN database",
                      "dbc = \"FILE.dbc\", relative to the rig file");
  }
  const std::array<const TomlValue*, 2> maps{table.any("receive"), table.any("send")};
  if (bus.dbc)
    read_formats(bus, table, maps);
  else
    (void)table.any("fd"), (void)table.any("j1939");
  read_simulate(bus, table, diagnostics);
  bus.period_ns = table.duration("period", ms, 3600 * second).value_or(0);
  bus.saturation_fails = table.choice("saturate", saturate_words).value_or("") == "fail";
  BusTables tables{maps[0], maps[1], timeout};
  const TomlValue* protect = table.any("protect");
  if (protect != nullptr && bus.dbc) read_protection(bus, *protect, diagnostics);
  const TomlValue* start = table.any("start");
  table.done();
  for (const auto* map : {tables.receive, tables.send}) {
    if (map != nullptr && !map->is_table())
      diagnostics.error("B003", map->where, "'receive' and 'send' of " + title + " are tables");
  }
  if (bus.dbc) bind_bus(bus, tables, given.target, diagnostics);
  if (bus.dbc && diagnostics.error_count() == errors) check_protection(bus, diagnostics);
  if (bus.dbc) warn_about_fd(bus, diagnostics);
  const bool is_bound = bus.dbc != nullptr;
  rig.buses.push_back(std::move(bus));
  if (start != nullptr && is_bound) read_rest_start(rig, *start, diagnostics);
}

void check_clashes(const Rig& rig, Diagnostics& diagnostics) {
  std::map<std::string, const BusMap*> channels;
  std::map<std::uint16_t, const BusMap*> ports;
  for (const auto& bus : rig.buses) {
    const auto [channel, fresh_channel] = channels.emplace(bus.channel, &bus);
    if (!fresh_channel) {
      diagnostics.error("B028", bus.where,
                        "buses " + channel->second->name + " and " + bus.name +
                            " use the same channel '" + bus.channel + "'");
    }
    const auto [port, fresh_port] = ports.emplace(bus.port, &bus);
    if (!fresh_port) {
      diagnostics.error("B028", bus.where,
                        "buses " + port->second->name + " and " + bus.name + " use the same port " +
                            std::to_string(bus.port),
                        "each virtual bus has its own port; left out, they are 29536, 29537, ...");
    }
  }
}

std::vector<std::string> can_names(const Rig& rig) {
  std::vector<std::string> names;
  for (const BusMap& bus : rig.buses) names.push_back(bus.name);
  return names;
}

void add_can_inputs(const Rig& rig, std::vector<FedInput>& inputs) {
  for (const auto& bus : rig.buses)
    for (const auto& message : bus.receive)
      for (const auto& signal : message.signals) inputs.push_back({signal.path, signal.where});
}

}  // namespace

extern const BusKind can_kind;
const BusKind can_kind{.word = "can",
                       .read = read_can_bus,
                       .check = check_clashes,
                       .names = can_names,
                       .add_inputs = add_can_inputs,
                       .sources = can_codecs,
                       .includes = write_can_includes,
                       .tables = write_can_tables,
                       .port = can_port};

}  // namespace takt::codegen
