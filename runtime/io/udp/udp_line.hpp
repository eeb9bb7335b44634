#pragma once
// Inside of UdpPort: one bus, the side of the plant and the side of the wire.

#include <string>

#include "runtime/io/udp/plan.hpp"
#include "runtime/io/udp/plant_side.hpp"
#include "runtime/io/udp/udp_port.hpp"
#include "runtime/io/udp/wire_side.hpp"

namespace takt::udp {

struct UdpPort::Line {
  Line(const BusPlan& bus, std::uint16_t number, TimeOutLog& log, const WireSide::Settings& settings)
      : plan(bus), wire(bus, settings), own(number, log) {}

  const BusPlan& plan;
  WireSide wire;
  PlantSide own;
  std::size_t told = 0;  // time-outs that its I/O thread has looked at

  // After the threads, for the report.
  /// What was received and not taken, or was lost, a sentence each.
  [[nodiscard]] std::vector<std::string> received_texts() const;
  /// Likewise of what was sent.
  [[nodiscard]] std::vector<std::string> sent_texts() const;
  /// Frames of which none was taken although something came that was not understood: names; empty: none.
  [[nodiscard]] std::string not_understood() const;
};

}  // namespace takt::udp
