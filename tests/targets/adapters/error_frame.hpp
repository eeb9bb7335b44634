// What adapters that send error frames of Linux (linux/can/error.h) put into them.
#pragma once

#include <linux/can/error.h>

#include "tests/targets/adapters/wire.hpp"

namespace takt::adapters {

/// Data byte 1 of a frame of class CAN_ERR_CRTL: the state, by the larger of the counters. 0 for bus-off.
inline std::uint8_t state_detail(State state, Counters counters) {
  static constexpr std::uint8_t transmit[] = {CAN_ERR_CRTL_ACTIVE, CAN_ERR_CRTL_TX_WARNING, CAN_ERR_CRTL_TX_PASSIVE, 0};
  static constexpr std::uint8_t receive[] = {CAN_ERR_CRTL_ACTIVE, CAN_ERR_CRTL_RX_WARNING, CAN_ERR_CRTL_RX_PASSIVE, 0};
  return (counters.transmit >= counters.receive ? transmit : receive)[static_cast<std::size_t>(state)];
}

}  // namespace takt::adapters
