// What a bus carries, against the protection of its messages.

#include <algorithm>

#include "codegen/rig/frame_bits.hpp"
#include "codegen/rig/rig_protect.hpp"

namespace takt::codegen {

void check_protection(const BusMap& bus, Diagnostics& diagnostics) {
  for (const ProtectionMap& map : bus.protection) {
    const DbcMessage& message = bus.dbc->messages[map.message];
    const auto is_it = [&](const auto& other) { return other.message == map.message; };
    if (std::none_of(bus.send.begin(), bus.send.end(), is_it) &&
        std::none_of(bus.receive.begin(), bus.receive.end(), is_it) &&
        std::none_of(bus.rest.begin(), bus.rest.end(), is_it)) {
      diagnostics.error(
          "B042", map.where,
          "message " + message.name + " is protected, but neither sent nor received",
          "map a signal of it in [bus." + bus.name + ".send] or [bus." + bus.name + ".receive]");
      continue;
    }
    const FrameBits own = can::protected_bits(can::make_protection(map.settings));
    for (const MessageMap& sent : bus.send) {
      if (sent.message != map.message) continue;
      for (const SignalMap& signal : sent.signals) {
        const DbcSignal& dbc = message.signals[signal.signal];
        if (!overlap(own, bits_of(dbc))) continue;
        diagnostics.error("B040", signal.where,
                          "signal " + message.name + "." + dbc.name +
                              " has bits that the protection in line " +
                              std::to_string(map.where.line) + " writes",
                          "leave its line out, or move the fields of the protection");
      }
    }
  }
}

const ProtectionMap* protection_of(const BusMap& bus, std::size_t message) {
  const auto it = std::find_if(bus.protection.begin(), bus.protection.end(),
                               [&](const ProtectionMap& map) { return map.message == message; });
  return it == bus.protection.end() ? nullptr : &*it;
}

bool is_written_by_protection(const BusMap& bus, std::size_t message, std::size_t signal) {
  const ProtectionMap* map = protection_of(bus, message);
  const DbcSignal& dbc = bus.dbc->messages[message].signals[signal];
  if (map == nullptr || !dbc.usable) return false;
  const FrameBits own = can::protected_bits(can::make_protection(map->settings)),
                  bits = bits_of(dbc);
  for (std::size_t k = 0; k < bits.size(); ++k)
    if ((bits[k] & ~own[k]) != 0) return false;
  return true;
}

}  // namespace takt::codegen
