#pragma once
// UDP buses as a rig file says them.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codegen/rig/bus_kind.hpp"
#include "runtime/io/udp/plan.hpp"

namespace takt::codegen {

struct UdpField {
  std::string name;
  udp::FieldType type = udp::FieldType::u8;
  udp::FieldUse use = udp::FieldUse::signal;
  std::uint16_t at = 0;  ///< bytes before it
  SignalMap map;         ///< its path is empty: a number that is sent, or a field that nobody reads
  double minimum = 0.0, maximum = 0.0;  ///< equal: not given
  Location where;
};

struct UdpFrame {
  std::string name;
  std::uint16_t length = 0;
  std::vector<UdpField> fields;
  std::int64_t timeout_ns = 0, late_ns = 0;  ///< receive
  udp::Missing missing = udp::Missing::safe;
  std::int64_t period_ns = 0;  ///< send
  Location where;
  [[nodiscard]] bool has(udp::FieldUse use) const;
};

/// What a bus says for all its frames.
struct UdpDefaults {
  std::optional<std::int64_t> timeout_ns, late_ns;
  std::optional<udp::Missing> missing;
};

struct UdpBus {
  std::string name, interface, peer;
  std::uint16_t port = 0;
  bool big_endian = false;
  std::int64_t grid_ns = 500'000;
  std::vector<UdpFrame> receive, send;
  Location where;
};

struct UdpBuses final : BusesOfKind {
  std::vector<UdpBus> all;
};

/// Of a rig; empty: it has none.
[[nodiscard]] const std::vector<UdpBus>& udp_buses(const Rig& rig);

// Read.
void read_udp_bus(Rig& rig, const BusEntry& given, Diagnostics& diagnostics);
/// Two buses on one port; frames of one bus that nothing tells apart.
void check_udp_buses(const Rig& rig, Diagnostics& diagnostics);
/// [bus.NAME.receive.FRAME] or [bus.NAME.send.FRAME].  @return nothing after an error
struct UdpFrameEntry {
  const TomlEntry& entry;
  const RigTarget& target;
  const UdpDefaults& defaults;
  bool received;
};
[[nodiscard]] std::optional<UdpFrame> read_udp_frame(const UdpFrameEntry& given,
                                                     Diagnostics& diagnostics);
/// `timeout`, `late` and `missing` of a bus or of a frame.
[[nodiscard]] UdpDefaults read_udp_defaults(RigTable& table);

// Emitted.
void write_udp_includes(Writer& text, const Rig& rig);
void write_udp_tables(Writer& text, const Rig& rig);
[[nodiscard]] std::string udp_port(const Rig& rig, const std::string& options);

}  // namespace takt::codegen
