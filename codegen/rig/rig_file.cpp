// The rig file: [rig]; [bus.NAME] is read by its kind.

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include "codegen/library/names.hpp"
#include "codegen/rig/bus_kind.hpp"
#include "codegen/rig/rig.hpp"
#include "codegen/rig/rig_gateway.hpp"
#include "codegen/rig/rig_reader.hpp"
#include "codegen/text/nearest.hpp"

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

/// A bus is read by its kind.
void read_bus(Rig& rig, const TomlEntry& entry, const RigTarget& target, Diagnostics& diagnostics) {
  const std::string title = "[bus." + entry.key + "]";
  if (!entry.value.is_table() || !valid_name(entry.key)) {
    diagnostics.error("B003", entry.where,
                      "a bus is a table [bus.NAME]; the name is made of letters, digits and _");
    return;
  }
  if (!is_free(entry.key, NamePlace::scenario, entry.where, diagnostics)) return;
  RigTable table(entry.value, title, diagnostics);
  const auto word = table.text("kind");
  std::vector<std::string> words;
  for (const BusKind* kind : bus_kinds()) {
    words.emplace_back(kind->word);
    if (word == words.back()) return kind->read(rig, {entry, table, target}, diagnostics);
  }
  if (!word && table.any("kind") == nullptr)
    diagnostics.error("B005", entry.where, title + " needs a kind",
                      "kind = \"" + words.front() + "\"");
  if (word)
    diagnostics.error("B005", entry.value.get("kind")->text_where,
                      "unknown kind of bus '" + *word + "'",
                      "this version knows " + join_names(words));
}

void check_inputs_once(const Rig& rig, Diagnostics& diagnostics) {
  std::vector<FedInput> all;
  for (const BusKind* kind : bus_kinds()) kind->add_inputs(rig, all);
  std::stable_sort(all.begin(), all.end(), [](const FedInput& a, const FedInput& b) {
    return std::pair(a.where.line, a.where.column) < std::pair(b.where.line, b.where.column);
  });
  std::map<std::string, const FedInput*> fed;
  for (const FedInput& input : all) {
    const auto [first, fresh] = fed.emplace(input.path, &input);
    if (fresh) continue;
    diagnostics.error("B024", input.where,
                      "plant input " + input.path + " is already fed in line " +
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
  if (!rig.watchdog.empty() && rig.buses.empty() && rig.others.empty())
    diagnostics.error("B004", top.any("supervisor")->where,
                      "a watchdog without a bus: nothing would feed it",
                      "leave 'watchdog' of [supervisor] out, or give the rig a bus");
  if (!rig.others.empty() && rig.buses.empty())
    for (const auto& [key, steps] : sequences)
      if (const auto* entry = document->find(key))
        diagnostics.error("B034", entry->where,
                          "steps are taken on CAN buses, and the rig has none",
                          "leave [[" + std::string(key) + "]] out");
  for (const BusKind* kind : bus_kinds()) kind->check(rig, diagnostics);
  check_inputs_once(rig, diagnostics);
  if (diagnostics.error_count() > errors) return std::nullopt;
  return rig;
}

}  // namespace takt::codegen
