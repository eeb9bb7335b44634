#pragma once
// A CAN frame as it crosses the rings between the real-time thread and an I/O thread.

#include <array>
#include <cstdint>
#include <span>

#include "runtime/io/can/parameter_group.hpp"
#include "runtime/io/can/signal_bits.hpp"
#include "runtime/plant/time.hpp"

namespace takt::can {

struct Frame {
  WallTime stamp;          ///< received: arrival; sent: when the plant handed it over
  std::uint32_t id = 0;    ///< 11 or 29 bits
  std::uint16_t plan = 0;  ///< index of its MessagePlan on this bus
  std::uint8_t bus = 0;
  std::uint8_t len = 0;   ///< bytes used of data, 0..64
  bool extended = false;  ///< 29-bit id
  bool fd = false;        ///< CAN FD frame
  bool brs = false;       ///< CAN FD: data phase at the higher bit rate
  bool remote = false;    ///< remote request (no data)
  bool esi = false;       ///< CAN FD, received: the sender is error passive
  bool guarded = false;   ///< sent: has its counter and checksum (protection_states.hpp)
  std::array<std::uint8_t, 64> data{};
};

struct Protection;

/// Identity of a DBC message, a member of every emitted message type.
struct MessageInfo {
  const char* name;
  std::uint32_t id;
  bool extended;
  bool fd;
  bool brs = true;         ///< CAN FD: data phase at the higher bit rate
  std::uint8_t length;     ///< bytes
  std::int64_t period_ns;  ///< GenMsgCycleTime; 0: none
  std::span<const SignalBits> signals = {};
  const Protection* protection = nullptr;  ///< end to end, where the rig has one (protect/protection.hpp)
  /// J1939: ids of all messages of its parameter group in the database, its own among them; empty: its id says all.
  std::span<const std::uint32_t> group = {};
};

[[nodiscard]] constexpr bool has_id(const Frame& frame, const MessageInfo& info) noexcept {
  return frame.id == info.id && frame.extended == info.extended && !frame.remote;
}
/// Whether a receiver takes it as this message, be its data as long as they are.   Real-time: bounded
[[nodiscard]] constexpr bool is_heard_as(const Frame& frame, const MessageInfo& info) noexcept {
  if (info.group.empty() || has_id(frame, info)) return has_id(frame, info);
  return frame.extended && !frame.remote && is_same_group(info.id, frame.id) &&
         heard_as(info.group, frame.id) == info.id;
}
/// With all its data.
[[nodiscard]] constexpr bool is(const Frame& frame, const MessageInfo& info) noexcept {
  return is_heard_as(frame, info) && frame.len >= info.length;
}

/// An empty frame of this message.
[[nodiscard]] constexpr Frame make_frame(const MessageInfo& info) noexcept {
  Frame frame;
  frame.id = info.id;
  frame.extended = info.extended;
  frame.fd = info.fd;
  frame.brs = info.fd && info.brs;
  frame.len = info.length;
  return frame;
}

}  // namespace takt::can
