#pragma once
// What a rig or a command says of a SocketCAN interface. Plain data: it stands in emitted tables, too.

#include <cstdint>

namespace takt::can {

/// Bits of one rate on the wire.
struct BitTiming {
  std::uint32_t bitrate = 0;       ///< bit/s; 0: not said
  std::uint16_t sample_point = 0;  ///< thousandths of a bit; 0: not said
};

struct LinkSettings {
  BitTiming nominal;
  BitTiming data;  ///< data phase of CAN FD; said: the interface is switched to CAN FD
  /// After bus-off, in ms; 0: not at all; -1: not said.
  std::int32_t restart_ms = -1;
  std::int32_t termination = -1;  ///< ohm; 0: none; -1: not said
  std::int8_t listen_only = -1;   ///< 1 or 0; -1: not said
  std::int8_t one_shot = -1;      ///< likewise: frames that nobody acknowledges are not sent again
  bool hardware_stamps = false;   ///< frames are stamped by the clock of the controller

  /// Anything that an interface has to have.
  [[nodiscard]] constexpr bool says_something() const noexcept {
    return nominal.bitrate != 0 || data.bitrate != 0 || restart_ms >= 0 || termination >= 0 || listen_only >= 0 ||
           one_shot >= 0;
  }
};

}  // namespace takt::can
