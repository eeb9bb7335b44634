// The row of UDP among the kinds of buses.

#include "codegen/rig/kinds/udp/udp_buses.hpp"
#include "runtime/io/udp/udp_socket.hpp"

namespace takt::codegen {
namespace {

std::vector<std::string> udp_names(const Rig& rig) {
  std::vector<std::string> names;
  for (const UdpBus& bus : udp_buses(rig)) names.push_back(bus.name);
  return names;
}

void add_udp_inputs(const Rig& rig, std::vector<FedInput>& inputs) {
  for (const UdpBus& bus : udp_buses(rig))
    for (const UdpFrame& frame : bus.receive)
      for (const UdpField& field : frame.fields)
        if (!field.map.path.empty()) inputs.push_back({field.map.path, field.map.where});
}

void ask_for_udp(const Rig& rig, Diagnostics& diagnostics) {
  for (const UdpBus& bus : udp_buses(rig)) {
    const auto peer = udp::read_address(bus.peer);
    if (!peer) continue;
    const std::string why = udp::why_not_bound({bus.name, bus.interface, bus.port, *peer});
    if (!why.empty())
      diagnostics.warning("B055", bus.where,
                          "on this machine the plant could not start now: " + why);
  }
}

}  // namespace

extern const BusKind udp_kind;
const BusKind udp_kind{.word = "udp",
                       .read = read_udp_bus,
                       .check = check_udp_buses,
                       .names = udp_names,
                       .add_inputs = add_udp_inputs,
                       .sources = [](const Rig&) { return Sources{}; },
                       .includes = write_udp_includes,
                       .tables = write_udp_tables,
                       .port = udp_port,
                       .ask_machine = ask_for_udp};

}  // namespace takt::codegen
