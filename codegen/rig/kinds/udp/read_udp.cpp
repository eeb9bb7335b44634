// [bus.NAME] with kind = "udp".

#include <algorithm>
#include <map>

#include "codegen/rig/kinds/udp/udp_buses.hpp"
#include "codegen/text/quantity.hpp"
#include "runtime/io/udp/address.hpp"

namespace takt::codegen {
namespace {

constexpr std::int64_t ms = 1'000'000;

/// Where the bus is on the network.
void read_place(UdpBus& bus, const BusEntry& given, Diagnostics& diagnostics) {
  const std::string title = "[bus." + bus.name + "]";
  RigTable& table = given.table;
  const TomlEntry& entry = given.entry;
  bus.interface = table.text("interface").value_or("lo");
  if (bus.interface.empty() || bus.interface.size() > 15 ||
      bus.interface.find_first_of(" /<>\t\n\"") != std::string::npos)
    diagnostics.error("B054", entry.value.get("interface")->text_where,
                      "'interface' of " + title +
                          " is no name of a network interface: 1 to 15 letters, no blanks",
                      "interface = \"eth0\"; left out: the loopback of this machine");
  const auto port = table.whole("port", 1, 65535);
  if (!port && table.any("port") == nullptr)
    diagnostics.error("B054", entry.where, title + " does not say on which port the plant receives",
                      "port = 5005");
  bus.port = static_cast<std::uint16_t>(port.value_or(0));
  const auto peer = table.text("peer");
  if (!peer) {
    if (table.any("peer") == nullptr)
      diagnostics.error("B054", entry.where,
                        title + " does not say whom it hears and to whom it sends",
                        "peer = \"127.0.0.1:5006\"");
    return;
  }
  bus.peer = *peer;
  const Location& where = entry.value.get("peer")->text_where;
  const auto address = udp::read_address(*peer);
  if (!address || !udp::is_of_one(address->ip)) {
    diagnostics.error("B054", where,
                      "'peer' of " + title + " is not the address of one machine with a port",
                      "peer = \"127.0.0.1:5006\", an IPv4 address in digits");
    return;
  }
  if (udp::is_loopback(address->ip) != (bus.interface == "lo"))
    diagnostics.error(
        "B054", where,
        "the peer " + *peer + " of " + title + " is not on the interface " + bus.interface,
        bus.interface == "lo"
            ? "interface = \"eth0\" (ip -br address shows those of this machine)"
            : "a peer on this machine is on the interface lo: leave 'interface' out");
  else if (bus.interface == "lo" && address->port == bus.port && address->ip == 0x7F000001U)
    diagnostics.error("B054", where, "the peer of " + title + " is the plant itself",
                      "give the peer a port of its own");
}

void read_frames(UdpBus& bus, const BusEntry& given, const UdpDefaults& defaults,
                 Diagnostics& diagnostics) {
  for (const auto& [key, frames] :
       {std::pair{"receive", &bus.receive}, std::pair{"send", &bus.send}}) {
    const TomlValue* const list = given.table.any(key);
    if (list == nullptr) continue;
    if (!list->is_table()) {
      diagnostics.error("B003", list->where,
                        "'" + std::string(key) + "' of [bus." + bus.name + "] holds frames",
                        "[bus." + bus.name + "." + key + ".FRAME]");
      continue;
    }
    for (const TomlEntry& entry : list->entries)
      if (auto frame =
              read_udp_frame({entry, given.target, defaults, frames == &bus.receive}, diagnostics))
        frames->push_back(std::move(*frame));
  }
}

/// By a constant at the same place.
bool are_told_apart(const UdpFrame& a, const UdpFrame& b) {
  if (a.length != b.length) return true;
  return std::any_of(a.fields.begin(), a.fields.end(), [&](const UdpField& one) {
    return one.use == udp::FieldUse::constant &&
           std::any_of(b.fields.begin(), b.fields.end(), [&](const UdpField& other) {
             return other.use == udp::FieldUse::constant && other.at == one.at &&
                    other.type == one.type && other.map.constant != one.map.constant;
           });
  });
}

void check_frames(const UdpBus& bus, Diagnostics& diagnostics) {
  for (const UdpFrame& frame : bus.receive)
    if (frame.timeout_ns < bus.grid_ns)
      diagnostics.error("B051", frame.where,
                        "the time-out " + duration_text(frame.timeout_ns) + " of " + frame.name +
                            " is shorter than the grid of bus " + bus.name + ", " +
                            duration_text(bus.grid_ns) +
                            ": it would end between any two frames that the plant sees",
                        "a longer timeout, or a shorter grid");
  for (std::size_t k = 1; k < bus.receive.size(); ++k)
    for (std::size_t j = 0; j < k; ++j)
      if (!are_told_apart(bus.receive[j], bus.receive[k]))
        diagnostics.error(
            "B052", bus.receive[k].where,
            "nothing tells the frames " + bus.receive[j].name + " and " + bus.receive[k].name +
                " of bus " + bus.name + " apart: both have " +
                std::to_string(bus.receive[k].length) + " bytes",
            "a constant of the same type at the same place, with a value of its own in each");
}

}  // namespace

const std::vector<UdpBus>& udp_buses(const Rig& rig) {
  static const std::vector<UdpBus> no_buses;
  const auto found = rig.others.find("udp");
  return found == rig.others.end() ? no_buses : static_cast<const UdpBuses&>(*found->second).all;
}

void read_udp_bus(Rig& rig, const BusEntry& given, Diagnostics& diagnostics) {
  UdpBus bus;
  bus.name = given.entry.key, bus.where = given.entry.where;
  read_place(bus, given, diagnostics);
  const std::vector<std::string> orders{"little", "big"};
  bus.big_endian = given.table.choice("order", orders) == orders[1];
  bus.grid_ns = given.table.duration("grid", ms / 20, 100 * ms).value_or(bus.grid_ns);
  const UdpDefaults defaults = read_udp_defaults(given.table);
  read_frames(bus, given, defaults, diagnostics);
  given.table.done();
  if (given.table.any("receive") == nullptr && given.table.any("send") == nullptr)
    diagnostics.error("B051", bus.where, "[bus." + bus.name + "] has no frame",
                      "[bus." + bus.name + ".receive.FRAME] or [bus." + bus.name + ".send.FRAME]");
  auto& buses = rig.others["udp"];
  if (!buses) buses = std::make_shared<UdpBuses>();
  static_cast<UdpBuses&>(*buses).all.push_back(std::move(bus));
}

void check_udp_buses(const Rig& rig, Diagnostics& diagnostics) {
  std::map<std::pair<std::string, std::uint16_t>, const UdpBus*> places;
  for (const UdpBus& bus : udp_buses(rig)) {
    check_frames(bus, diagnostics);
    if (bus.port == 0) continue;  // said before
    const auto [first, fresh] = places.emplace(std::pair(bus.interface, bus.port), &bus);
    if (!fresh)
      diagnostics.error("B028", bus.where,
                        "buses " + first->second->name + " and " + bus.name +
                            " use the same port " + std::to_string(bus.port) + " of " +
                            bus.interface);
  }
}

}  // namespace takt::codegen
