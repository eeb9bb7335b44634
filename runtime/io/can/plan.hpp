#pragma once
// What a rig emits: which messages of a bus reach the plant, which the plant sends. Data plus noexcept codecs.

#include <array>
#include <cstdint>
#include <span>

#include "runtime/io/can/codec.hpp"
#include "runtime/io/can/comparison.hpp"
#include "runtime/io/can/frame.hpp"
#include "runtime/io/can/link/settings.hpp"
#include "runtime/io/can/protect/settings.hpp"
#include "runtime/plant/trace_formats.hpp"

namespace takt::can {

/// One DBC signal joined to one value of the plant.
struct SignalPlan {
  const char* signal;  ///< "BMS_State.pack_voltage", for reports
  const char* path;    ///< plant input (receive) or path of the table (send); nullptr: a constant (send)
  double scale;        ///< receive: plant = dbc * scale + offset; send: dbc = plant * scale + offset
  double offset;
  double constant;  ///< path == nullptr: the value sent, DBC units
  double safe;      ///< send: value in the safe state, DBC units; absent: the last one
  /// Range that the database gives, DBC units, half a step of the raw value wider; absent: none. Values beyond are
  /// taken, or sent, and counted.
  double minimum = absent, maximum = absent;
  bool again =
      false;  ///< receive: the signal stands further up for another plant input; what is counted is counted there
};

/// Of messages that no node of the database sends.
inline constexpr std::uint16_t no_node = 0xFFFF;

/// A message of the database that the rig protects.
[[nodiscard]] constexpr MessageInfo with_protection(MessageInfo info, const Protection* protection) noexcept {
  info.protection = protection;
  return info;
}

/// A message the plant listens to.
struct ReceivePlan {
  MessageInfo info;
  std::int64_t timeout_ns;  ///< 0: never judged
  std::span<const SignalPlan> signals;
  /// Values of the signals in DBC units, in the order of `signals`; `absent` where a signal is not in this frame.
  /// @return false where the frame is not the message.   Real-time: bounded, silent
  bool (*decode)(const Frame& frame, double* values) noexcept;
  std::uint16_t node = no_node;  ///< who sends it, index of BusPlan::nodes
};

/// A message the plant sends.
struct SendPlan {
  MessageInfo info;
  std::int64_t period_ns;   ///< 0: on change only
  bool on_change;           ///< also when the frame's data differ from the last ones sent
  std::int64_t spacing_ns;  ///< least time between two frames while the plant runs; a change waits for it
  std::span<const SignalPlan> signals;
  /// @param values  DBC units, in the order of `signals`.   Real-time: bounded, silent
  void (*encode)(const double* values, Frame& frame) noexcept;
  std::array<std::uint8_t, 64> safe_bits{};  ///< of the signals that have a safe value
  std::uint16_t node = no_node;              ///< who sends it, index of BusPlan::nodes
  bool saturation_fails = false;  ///< a value that its signal does not hold is a verdict of the run; else it is counted
};

/// A message of a simulated node that carries nothing of the plant: the I/O thread sends it by itself.
struct RestPlan {
  MessageInfo info;                     ///< with the period at which it is sent
  std::int64_t delay_ns;                ///< of the first frame, from the start of the bus or of its node
  std::array<std::uint8_t, 64> data{};  ///< start values
  std::uint16_t node = no_node;
};

/// What the rest bus waits for before its first frame.
struct RestStart {
  enum class Kind : std::uint8_t {
    at_once,
    heard,  ///< a frame that the plant does not send itself
    when    ///< a condition on a signal that the plant receives
  } kind = Kind::at_once;
  const char* text = "";                      ///< for people: "can0.VCU_State.mode >= 2"
  std::uint16_t message = 0, signal = 0;      ///< when: indices of BusPlan::receive, of its `signals`
  Comparison comparison = Comparison::equal;  ///< when: signal comparison value
  double value = 0.0;                         ///< DBC units
};

/// Each signal has a safe value or is a constant.
[[nodiscard]] inline bool is_known_without_plant(const SendPlan& plan) noexcept {
  for (const SignalPlan& signal : plan.signals)
    if (signal.path != nullptr && !(signal.safe == signal.safe)) return false;
  return true;
}

/// Ids that a gateway forwards.
struct ForwardedIds {
  std::uint32_t first, last;
  bool extended;            ///< of 29 bits
  bool fd = false;          ///< of a message that the database calls CAN FD
  const char* text;         ///< for people: "BMS_State", "0x100..0x1FF"
  bool is_renamed = false;  ///< they have another id on the bus they go to
  std::uint32_t id = 0;
  bool id_extended = false;
  /// Of a message of J1939, all messages of its parameter group in the database (MessageInfo::group); it is `first`.
  std::span<const std::uint32_t> group = {};
};

/// One direction of a gateway, in the table of the bus that frames come from.
struct RoutePlan {
  const char* name;         ///< [gateway] NAME
  std::uint16_t gateway;    ///< its number: both directions have one
  std::uint16_t to;         ///< index of BusPlan
  std::uint32_t queue;      ///< frames that wait at most
  std::int64_t spacing_ns;  ///< between two frames on the bus they go to; 0: none
  std::span<const ForwardedIds> ids;
};

struct BusPlan {
  const char* name;      ///< [bus.NAME]
  const char* channel;   ///< SocketCAN interface; the name clients of the virtual bus open
  bool virtual_only;     ///< asked for; else the interface has to be there
  std::uint16_t port;    ///< of the virtual bus
  const char* token;     ///< its clients present it, "env:NAME": the value of NAME; empty: none
  std::int64_t grid_ns;  ///< of the I/O thread
  int priority;          ///< SCHED_FIFO priority of the I/O thread, below the plant's
  std::span<const ReceivePlan> receive;
  std::span<const SendPlan> send;
  std::span<const RestPlan> rest = {};
  std::span<const char* const> nodes = {};  ///< of the database, that send any of these messages
  TraceFormats trace = 0;                   ///< what a run keeps of its frames
  LinkSettings link = {};                   ///< how a SocketCAN interface has to be
  RestStart rest_start = {};
  std::span<const RoutePlan> routes = {};  ///< of gateways that take frames from this bus
};

/// A value that a step gives to a signal the plant sends.
struct SetPlan {
  std::uint16_t bus, message, signal;  ///< indices of BusPlan, of its `send`, of its `signals`
  double value;                        ///< DBC units
};

/// One step before time 0 or after the end of a run.
struct StepPlan {
  enum class Kind : std::uint8_t {
    set,   ///< values into signals that the plant sends
    wait,  ///< for a frame of a message that the plant receives
    when,  ///< for a condition on one of its signals
    pause
  } kind;
  const char* text;                    ///< for people: "wait for can0.Answer"
  std::span<const SetPlan> sets;       ///< set
  std::uint16_t bus, message, signal;  ///< wait, when: indices of BusPlan, of its `receive`, of its `signals`
  Comparison comparison;               ///< when: signal comparison value
  double value;                        ///< DBC units
  std::int64_t within_ns;              ///< wait, when: time-out; pause: how long
};

struct SequencePlan {
  std::span<const StepPlan> start;  ///< [[start]]: before time 0
  std::span<const StepPlan> stop;   ///< [[stop]]: after the safe values; empty: what start has set is undone
};

/// Most signals one message may map: a frame has 512 bits.
inline constexpr std::size_t max_signals = 512;

}  // namespace takt::can
