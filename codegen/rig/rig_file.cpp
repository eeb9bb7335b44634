// The rig file: [rig] and [bus.NAME]; the maps are bound in rig_bind.cpp.

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include "codegen/library/names.hpp"
#include "codegen/rig/rig.hpp"
#include "codegen/rig/rig_gateway.hpp"
#include "codegen/rig/rig_protect.hpp"
#include "codegen/rig/rig_reader.hpp"
#include "codegen/text/nearest.hpp"
#include "codegen/text/quantity.hpp"
#include "runtime/plant/bus_token.hpp"

namespace takt::codegen {
namespace {

namespace fs = std::filesystem;
constexpr std::int64_t ms = 1'000'000, second = 1'000'000'000;

/// KEY = [2, 3]
CoreList read_cpus(RigTable& table, const char* key, const char* what, Diagnostics& diagnostics) {
  CoreList list;
  const auto* value = table.any(key);
  if (value == nullptr) return list;
  const std::string name = "'" + std::string(key) + "' of [rig]",
                    example = std::string(key) + " = [2, 3]: " + what;
  if (!value->is_array() || value->items.empty() || value->items.size() > CoreList::most) {
    diagnostics.error("B003", value->where, name + " must be a list of 1 to 64 CPUs", example);
    return list;
  }
  for (const TomlValue& item : value->items) {
    const double cpu = item.is(TomlValue::Kind::integer) ? item.number : -1.0;
    const auto end = list.cpus.begin() + static_cast<std::ptrdiff_t>(list.count);
    if (cpu < 0 || cpu > 1023 ||
        std::find(list.cpus.begin(), end, static_cast<std::int16_t>(cpu)) != end) {
      diagnostics.error("B003", item.where,
                        "every entry of " + name + " must be another CPU, 0 to 1023", example);
      return list;
    }
    list.cpus[list.count++] = static_cast<std::int16_t>(cpu);
  }
  return list;
}

void read_cores(Rig& rig, RigTable& table, Diagnostics& diagnostics) {
  rig.cores = read_cpus(table, "cores", "the CPUs that compute the plant", diagnostics);
  rig.fmu_cpus = read_cpus(table, "fmu_cpus", "the CPUs that compute its FMUs", diagnostics);
  if (const auto* value = table.any("cores"); value != nullptr && rig.cpu >= 0)
    diagnostics.error("B003", value->where,
                      "'cpu' and 'cores' of [rig] both say where the plant runs",
                      "give one of them");
}

/// policy = "count", or { default = "count", GROUP = "stop" }
void read_policy(Rig& rig, RigTable& table, const RigTarget& target, Diagnostics& diagnostics) {
  const std::vector<std::string> words(overrun_policy_words.begin(), overrun_policy_words.end());
  const TomlValue* value = table.any("policy");
  if (value == nullptr || !value->is_table()) {
    if (const auto policy = table.choice("policy", words)) rig.policy = overrun_policy(*policy);
    return;
  }
  RigTable inner(*value, "[rig] policy", diagnostics);
  for (const TomlEntry& entry : value->entries) {
    const bool known =
        entry.key == "default" || target.release_ns == 0 ||
        std::find(target.groups.begin(), target.groups.end(), entry.key) != target.groups.end();
    const auto policy = inner.choice(entry.key, words);
    if (!known)
      diagnostics.error("B003", entry.where, "the plant has no sync group '" + entry.key + "'",
                        did_you_mean(entry.key, target.groups));
    if (policy && entry.key == "default")
      rig.policy = overrun_policy(*policy);
    else if (policy)
      rig.group_policies.emplace_back(entry.key, overrun_policy(*policy));
  }
}

void read_late(Rig& rig, RigTable& table, Diagnostics& diagnostics) {
  const TomlValue* value = table.any("late");
  if (value == nullptr) return;
  const std::optional<LateTolerance> late = value->is_number()
                                                ? late_tolerance(value->text)
                                                : late_tolerance(table.text("late").value_or(""));
  if (late)
    rig.late = *late;
  else
    diagnostics.error("B003", value->text_where,
                      "'late' of [rig] says how many deadlines may be missed",
                      std::string("give ") + late_tolerance_words);
}

void read_settings(Rig& rig, const TomlValue& value, const RigTarget& target,
                   Diagnostics& diagnostics) {
  if (!value.is_table()) {
    diagnostics.error("B003", value.where, "'rig' must be a table");
    return;
  }
  RigTable table(value, "[rig]", diagnostics);
  const std::array<std::string, 2> paces{"real", "free"};
  if (const auto pace = table.choice("pace", paces)) rig.paced = *pace == "real";
  if (const auto cpu = table.whole("cpu", -1, 1023)) rig.cpu = static_cast<int>(*cpu);
  read_cores(rig, table, diagnostics);
  if (const auto priority = table.whole("priority", 2, 98))
    rig.priority = static_cast<int>(*priority);
  if (const auto spin = table.duration("spin", 0, 10 * ms)) rig.spin_ns = *spin;
  read_policy(rig, table, target, diagnostics);
  const std::vector<std::string> moments(publish_words.begin(), publish_words.end());
  if (const auto publish = table.choice("publish", moments))
    rig.publish = *publish == publish_words.front() ? Publish::on_time : Publish::early;
  if (const auto windows = table.whole("max_catch_up", 0, 1'000'000))
    rig.max_catch_up = static_cast<int>(*windows);
  if (const auto regain = table.flag("regain")) rig.regain = *regain;
  if (const auto grace = table.duration("grace", 0, 3600 * second)) rig.grace_ns = *grace;
  read_late(rig, table, diagnostics);
  if (const auto trace = table.duration("trace", 0, 3600 * second)) rig.trace_ns = *trace;
  if (const auto* limits = table.any("limits")) {
    if (limits->is_table()) {
      RigTable inner(*limits, "[rig] limits", diagnostics);
      if (const auto n = inner.whole("consecutive", 0, 1'000'000'000))
        rig.stop_after_consecutive = static_cast<int>(*n);
      if (const auto above = inner.duration("above", 0, 3600 * second)) rig.stop_above_ns = *above;
      inner.done();
    } else {
      diagnostics.error("B003", limits->where, "'limits' of [rig] must be a table",
                        "limits = { consecutive = 100, above = \"50 ms\" }");
    }
  }
  table.done();
}

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

void read_bus(Rig& rig, const TomlEntry& entry, const RigTarget& target, Diagnostics& diagnostics) {
  const std::string title = "[bus." + entry.key + "]";
  const auto errors = diagnostics.error_count();
  if (!entry.value.is_table() || !valid_name(entry.key)) {
    diagnostics.error("B003", entry.where,
                      "a bus is a table [bus.NAME]; the name is made of letters, digits and _");
    return;
  }
  if (!is_free(entry.key, NamePlace::scenario, entry.where, diagnostics)) return;
  RigTable table(entry.value, title, diagnostics);
  BusMap bus;
  bus.name = entry.key;
  bus.where = entry.where;
  const auto kind = table.text("kind");
  if (!kind && table.any("kind") == nullptr)
    diagnostics.error("B005", entry.where, title + " needs a kind", "kind = \"can\"");
  if (kind && *kind != "can") {
    diagnostics.error("B005", entry.value.get("kind")->text_where,
                      "unknown kind of bus '" + *kind + "'", "this version knows kind = \"can\"");
  }
  bus.channel = table.text("channel").value_or(bus.name);
  if (bus.channel.empty() || bus.channel.size() > 15 ||
      bus.channel.find_first_of(" /<>\t\n") != std::string::npos) {
    const TomlValue* given = entry.value.get("channel");
    diagnostics.error(
        "B004", given != nullptr ? given->text_where : entry.where,
        (given != nullptr ? "'channel'" : title + " names no channel, and its own name") +
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
  if (bus.dbc) bind_bus(bus, tables, target, diagnostics);
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

void check_inputs_once(const Rig& rig, Diagnostics& diagnostics) {
  std::vector<const SignalMap*> all;
  for (const auto& bus : rig.buses) {
    for (const auto& message : bus.receive) {
      for (const auto& signal : message.signals) all.push_back(&signal);
    }
  }
  std::sort(all.begin(), all.end(), [](const auto* a, const auto* b) {
    return std::pair(a->where.line, a->where.column) < std::pair(b->where.line, b->where.column);
  });
  std::map<std::string, const SignalMap*> fed;
  for (const auto* signal : all) {
    const auto [first, fresh] = fed.emplace(signal->path, signal);
    if (fresh) continue;
    diagnostics.error("B024", signal->where,
                      "plant input " + signal->path + " is already fed in line " +
                          std::to_string(first->second->where.line),
                      "an input has one source");
  }
}

}  // namespace

bool valid_name(const std::string& name) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !name.empty() && std::all_of(name.begin(), name.end(), plain);
}

std::optional<Rig> load_rig(const std::string& file, const RigTarget& target,
                            Diagnostics& diagnostics) {
  const auto errors = diagnostics.error_count();
  const auto text = read_text_file(file);
  if (!text) {
    diagnostics.error("B001", {file, 0, 0},
                      "cannot read the rig file " + file + ": " + text.error());
    return std::nullopt;
  }
  const auto document = parse_toml(*text, file, diagnostics);
  if (!document) return std::nullopt;
  Rig rig;
  rig.name = fs::path(file).stem().string();
  rig.files.push_back(file);
  RigTable top(*document, "the rig file", diagnostics);
  if (const auto* settings = top.any("rig")) read_settings(rig, *settings, target, diagnostics);
  if (const auto* supervisor = top.any("supervisor"))
    read_supervisor(rig, *supervisor, diagnostics);
  const auto* hosts = top.any("hosts");
  read_hosts(rig, hosts, top.any("host"), diagnostics);
  check_hosts(rig, target, diagnostics);
  const auto* buses = top.any("bus");
  const std::array<std::pair<const char*, std::vector<StepMap> Rig::*>, 2> sequences{
      {{"start", &Rig::start}, {"stop", &Rig::stop}}};
  for (const auto& [key, steps] : sequences) (void)top.any(key);
  const auto* gateways = top.any("gateway");
  top.done();
  if (buses != nullptr && !buses->is_table()) {
    diagnostics.error("B003", buses->where, "'bus' holds tables [bus.NAME]");
  } else if (buses != nullptr) {
    for (const auto& entry : buses->entries) read_bus(rig, entry, target, diagnostics);
  }
  if (gateways != nullptr) read_gateways(rig, *gateways, diagnostics);
  for (const auto& [key, steps] : sequences)
    if (const auto* entry = document->find(key)) rig.*steps = read_steps(rig, *entry, diagnostics);
  if (!rig.watchdog.empty() && rig.buses.empty())
    diagnostics.error("B004", top.any("supervisor")->where,
                      "a watchdog without a bus: nothing would feed it",
                      "leave 'watchdog' of [supervisor] out, or give the rig a bus");
  check_clashes(rig, diagnostics);
  check_inputs_once(rig, diagnostics);
  if (diagnostics.error_count() > errors) return std::nullopt;
  return rig;
}

}  // namespace takt::codegen
