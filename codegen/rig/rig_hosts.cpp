// [hosts] and [host.NAME] of the rig file: one plant on several hosts.

#include <algorithm>

#include "codegen/library/names.hpp"
#include "codegen/rig/rig_reader.hpp"
#include "codegen/rig/ssh_address.hpp"
#include "codegen/text/escape.hpp"
#include "codegen/text/quantity.hpp"
#include "runtime/hosts/deal_out.hpp"

namespace takt::codegen {
namespace {

constexpr std::int64_t ms = 1'000'000, second = 1'000 * ms;
constexpr std::size_t most_hosts = 64;

void read_host(Rig& rig, const TomlEntry& entry, Diagnostics& diagnostics) {
  if (!entry.value.is_table() || !valid_name(entry.key)) {
    diagnostics.error("B003", entry.where,
                      "a host is a table [host.NAME]; the name is made of letters, digits and _");
    return;
  }
  if (!is_free(entry.key, NamePlace::scenario, entry.where, diagnostics)) return;
  RigTable table(entry.value, "[host." + entry.key + "]", diagnostics);
  HostMap host{.name = entry.key, .interface = {}, .ssh = {}, .computes = {}, .where = entry.where};
  host.interface = table.text("interface").value_or("");
  if (host.interface.empty() || host.interface.size() > 15 ||
      host.interface.find_first_of(" /<>\"'\t\n") != std::string::npos)
    diagnostics.error("B049", entry.where,
                      "[host." + entry.key + "] names no interface of its network",
                      "interface = \"eth1\"; \"lo\" where all hosts are processes of one machine");
  host.ssh = table.text("ssh").value_or("");
  if (!host.ssh.empty() && !is_ssh_address(host.ssh))
    diagnostics.error("B004", entry.value.get("ssh")->text_where,
                      "'ssh' of [host." + entry.key + "] is no machine",
                      "ssh = " + std::string(ssh_address_rule));
  for (const auto& [name, where] : table.texts("computes")) host.computes.push_back(name);
  if (const auto when = table.text("when_lost")) {
    const auto* const place = std::find(when_lost_words.begin(), when_lost_words.end(), *when);
    if (place == when_lost_words.end())
      diagnostics.error(
          "B004", entry.value.get("when_lost")->text_where,
          "'when_lost' of [host." + entry.key + "] is stop, hold or isolate, not '" + *when + "'",
          "in real time: the other hosts end; go on with what it sent last; the same without its "
          "fluxes");
    else
      host.when_lost = static_cast<WhenLost>(place - when_lost_words.begin());
  }
  table.done();
  rig.hosts.push_back(std::move(host));
}

}  // namespace

void read_hosts(Rig& rig, const TomlValue* settings, const TomlValue* list,
                Diagnostics& diagnostics) {
  if (settings != nullptr && !settings->is_table()) {
    diagnostics.error("B003", settings->where, "'hosts' must be a table");
  } else if (settings != nullptr) {
    RigTable table(*settings, "[hosts]", diagnostics);
    if (const auto domain = table.whole("domain", 0, 230))
      rig.hosts_settings.domain = static_cast<int>(*domain);
    if (const auto wait = table.duration("wait", second, 3600 * second))
      rig.hosts_settings.wait_ns = *wait;
    if (const auto trip = table.duration("round_trip", ms / 1000, 10 * second))
      rig.round_trip_ns = *trip;
    if (const auto silence = table.duration("silence", second, 3600 * second))
      rig.hosts_settings.silence_ns = *silence;
    table.done();
    if (list == nullptr)
      diagnostics.error("B049", settings->where, "[hosts] without a host",
                        "[host.NAME] for each of them, two or more");
  }
  if (list == nullptr) return;
  if (!list->is_table()) {
    diagnostics.error("B003", list->where, "'host' holds tables [host.NAME]");
    return;
  }
  for (const TomlEntry& entry : list->entries) read_host(rig, entry, diagnostics);
  if (!rig.hosts.empty() && !rig.hosts.front().ssh.empty())
    diagnostics.error("B049", rig.hosts.front().where, "the leading host has 'ssh'",
                      "the first host is where `takt run` is called; leave 'ssh' out");
  if (!rig.hosts.empty() && rig.hosts.front().when_lost != WhenLost::stop)
    diagnostics.error("B049", rig.hosts.front().where, "the leading host has 'when_lost'",
                      "without it nobody records and reports: the run ends; leave 'when_lost' out");
  if (rig.hosts.size() == 1 || rig.hosts.size() > most_hosts)
    diagnostics.error("B049", list->where,
                      "a rig has 2 to 64 hosts, or none, not " + std::to_string(rig.hosts.size()),
                      "the first one leads: it records and reports");
  const auto takes_rest = [](const HostMap& host) { return host.computes.empty(); };
  if (std::count_if(rig.hosts.begin(), rig.hosts.end(), takes_rest) > 1)
    diagnostics.error("B049", std::find_if(rig.hosts.begin(), rig.hosts.end(), takes_rest)->where,
                      "two hosts compute what is left",
                      "'computes' of one of them names subsystems or sync groups");
}

void check_hosts(const Rig& rig, const RigTarget& target, Diagnostics& diagnostics) {
  if (rig.hosts.empty() || target.subsystems.empty()) return;
  std::vector<hosts::Claim> claims;
  for (const HostMap& host : rig.hosts)
    claims.push_back({.host = host.name, .computes = host.computes});
  std::vector<std::uint16_t> placement;
  try {
    placement = hosts::deal_out(target.subsystems, claims);
  } catch (const std::exception& error) {
    diagnostics.error("B049", rig.hosts.front().where, error.what());
    return;
  }
  const auto crosses = [&](const PlantCoupling& coupling) {
    return placement[coupling.producer] != placement[coupling.consumer];
  };
  const auto between = [&](const PlantCoupling& coupling) {
    return coupling.text + ", from host " + rig.hosts[placement[coupling.producer]].name +
           " to host " + rig.hosts[placement[coupling.consumer]].name;
  };
  std::vector<const PlantCoupling*> at_once, too_fast;
  for (const PlantCoupling& coupling : target.couplings) {
    if (!crosses(coupling)) continue;
    if (coupling.lag == 0)
      at_once.push_back(&coupling);
    else if (rig.round_trip_ns / 2 > coupling.left_ns)
      too_fast.push_back(&coupling);
  }
  const auto more = [](const auto& list) {
    return list.size() > 1 ? " (and " + std::to_string(list.size() - 1) + " more)" : std::string();
  };
  if (rig.paced && !at_once.empty())
    diagnostics.error("B050", rig.hosts.front().where,
                      between(*at_once.front()) + more(at_once) +
                          ": exchanged within a window (lag 0), for which there is no time between "
                          "hosts in real time",
                      "a group of [sync] for what each host computes, around them one with scheme "
                      "= \"jacobi\"; or pace = \"free\": the hosts compute in lock-step");
  if (rig.paced && !too_fast.empty())
    diagnostics.error("B050", rig.hosts.front().where,
                      between(*too_fast.front()) + more(too_fast) + ": half of the round trip of " +
                          duration_text(rig.round_trip_ns) + " is longer than the " +
                          duration_text(too_fast.front()->left_ns) +
                          " from the release of the sender's last window till the value is read",
                      "a longer 'every' for the sender, or one host that computes both");
}

void write_hosts(Writer& text, const Rig& rig) {
  if (rig.hosts.empty()) return;
  text.line("namespace {");
  text.blank();
  std::vector<std::string> rows;
  for (const HostMap& host : rig.hosts) {
    Aggregate row;
    row.text("name", host.name).text("interface", host.interface);
    if (!host.computes.empty()) {
      text.line("constexpr std::array<const char*, " + std::to_string(host.computes.size()) +
                "> computed_by_" + host.name + "{" + separated(host.computes, string_literal) +
                "};");
      row.code("computes", "computed_by_" + host.name);
    }
    if (host.when_lost != WhenLost::stop)
      row.code(
          "when_lost",
          "WhenLost::" + std::string(when_lost_words[static_cast<std::size_t>(host.when_lost)]));
    rows.push_back(row.code());
  }
  write_array(text, {"HostSettings", "hosts"}, rows);
  text.blank();
  text.line("}  // namespace");
  text.blank();
}

void add_hosts(Aggregate& settings, const Rig& rig) {
  if (rig.hosts.empty()) return;
  Aggregate hosts;
  hosts.code("list", "hosts").number("domain", rig.hosts_settings.domain);
  hosts.number("wait_ns", rig.hosts_settings.wait_ns)
      .number("silence_ns", rig.hosts_settings.silence_ns);
  settings.code("hosts", hosts.code());
}

}  // namespace takt::codegen
