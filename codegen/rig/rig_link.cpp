// Of [bus.NAME]: how a SocketCAN interface has to be set.

#include <array>

#include "codegen/rig/rig_reader.hpp"

namespace takt::codegen {
namespace {

constexpr std::int64_t ms = 1'000'000;

/// In thousandths of a bit; 0: not said.
std::uint16_t read_sample_point(const BusMap& bus, RigTable& table, const char* key,
                                Diagnostics& diagnostics) {
  const auto point = table.number(key);
  if (!point) return 0;
  if (*point >= 0.5 && *point <= 0.99) return static_cast<std::uint16_t>(*point * 1000.0 + 0.5);
  diagnostics.error(
      "B004", table.any(key)->where,
      "'" + std::string(key) + "' of [bus." + bus.name + "] must be from 0.5 to 0.99 of a bit",
      std::string(key) + " = 0.8");
  return 0;
}

}  // namespace

void read_link(BusMap& bus, RigTable& table, Diagnostics& diagnostics) {
  can::LinkSettings& link = bus.link;
  link.nominal.bitrate =
      static_cast<std::uint32_t>(table.whole("bitrate", 5'000, 1'000'000).value_or(0));
  link.nominal.sample_point = read_sample_point(bus, table, "sample_point", diagnostics);
  link.data.bitrate =
      static_cast<std::uint32_t>(table.whole("data_bitrate", 5'000, 20'000'000).value_or(0));
  link.data.sample_point = read_sample_point(bus, table, "data_sample_point", diagnostics);
  if (const auto restart = table.duration("restart", 0, 60'000 * ms))
    link.restart_ms = static_cast<std::int32_t>((*restart + ms - 1) / ms);
  link.termination = static_cast<std::int32_t>(table.whole("termination", 0, 65'535).value_or(-1));
  const std::array<std::string, 2> stamps{"kernel", "hardware"};
  link.hardware_stamps = table.choice("stamps", stamps) == stamps[1];
  const auto needs = [&](const char* key, bool said, const char* other) {
    if (const TomlValue* value = table.any(key); value != nullptr && !said)
      diagnostics.error(
          "B004", value->where,
          "'" + std::string(key) + "' of [bus." + bus.name + "] needs '" + other + "'",
          "write both, or neither");
  };
  needs("sample_point", link.nominal.bitrate != 0 || table.any("bitrate") != nullptr, "bitrate");
  needs("data_sample_point", link.data.bitrate != 0 || table.any("data_bitrate") != nullptr,
        "data_bitrate");
  needs("data_bitrate", link.nominal.bitrate != 0 || table.any("bitrate") != nullptr, "bitrate");
  if (link.data.bitrate != 0 && link.nominal.bitrate > link.data.bitrate)
    diagnostics.error("B004", table.any("data_bitrate")->where,
                      "'data_bitrate' of [bus." + bus.name + "] is below its 'bitrate'",
                      "the data phase of CAN FD is at least as fast");
}

std::vector<RigLink> load_rig_links(const std::string& file, Diagnostics& diagnostics) {
  const auto document = read_toml(file, diagnostics);
  const TomlValue* buses = document ? document->get("bus") : nullptr;
  std::vector<RigLink> links;
  if (buses == nullptr) return links;
  for (const TomlEntry& entry : buses->entries) {
    if (!entry.value.is_table()) continue;
    RigTable table(entry.value, "[bus." + entry.key + "]", diagnostics);
    if (const TomlValue* kind = table.any("kind"); kind != nullptr && kind->text != "can") continue;
    BusMap bus;
    bus.name = entry.key;
    bus.channel = table.text("channel").value_or(bus.name);
    bus.virtual_only = table.flag("virtual").value_or(false);
    read_link(bus, table, diagnostics);
    if (!bus.virtual_only) links.push_back({bus.channel, bus.link});
  }
  return links;
}

}  // namespace takt::codegen
