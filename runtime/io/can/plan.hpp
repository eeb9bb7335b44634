#pragma once
// What a rig emits: which messages of a bus reach the plant, which the plant sends. Data plus noexcept codecs.

#include <cstdint>
#include <span>

#include "runtime/io/can/codec.hpp"
#include "runtime/io/can/frame.hpp"

namespace takt::can {

/// One DBC signal joined to one value of the plant.
struct SignalPlan {
  const char* signal;  ///< "BMS_State.pack_voltage", for reports
  const char* path;    ///< plant input (receive) or path of the table (send); nullptr: a constant (send)
  double scale;        ///< receive: plant = dbc * scale + offset; send: dbc = plant * scale + offset
  double offset;
  double constant;  ///< path == nullptr: the value sent, DBC units
  double safe;      ///< send: value in the safe state, DBC units; absent: the last one
};

/// A message the plant listens to.
struct ReceivePlan {
  MessageInfo info;
  std::int64_t timeout_ns;  ///< 0: never judged
  std::span<const SignalPlan> signals;
  /// Values of the signals in DBC units, in the order of `signals`; `absent` where a signal is not in this frame.
  /// @return false where the frame is not the message.   Real-time: bounded, silent
  bool (*decode)(const Frame& frame, double* values) noexcept;
};

/// A message the plant sends.
struct SendPlan {
  MessageInfo info;
  std::int64_t period_ns;  ///< 0: on change only
  bool on_change;          ///< also when the frame's data differ from the last ones sent
  std::span<const SignalPlan> signals;
  /// @param values  DBC units, in the order of `signals`.   Real-time: bounded, silent
  void (*encode)(const double* values, Frame& frame) noexcept;
};

struct BusPlan {
  const char* name;      ///< [bus.NAME]
  const char* channel;   ///< SocketCAN interface; the name clients of the virtual bus open
  bool virtual_only;     ///< never look for the interface
  std::uint16_t port;    ///< of the virtual bus
  std::int64_t grid_ns;  ///< of the I/O thread
  int priority;          ///< SCHED_FIFO priority of the I/O thread, below the plant's
  std::span<const ReceivePlan> receive;
  std::span<const SendPlan> send;
};

/// Most signals one message may map: a frame has 512 bits.
inline constexpr std::size_t max_signals = 512;

}  // namespace takt::can
