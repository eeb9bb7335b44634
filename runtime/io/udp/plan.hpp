#pragma once
// What a rig emits for its UDP buses: frames of fixed layout that reach the plant, and that the plant sends.

#include <cstdint>
#include <limits>
#include <span>

namespace takt::udp {

/// Largest payload that one Ethernet frame of 1500 bytes carries.
inline constexpr std::size_t most_bytes = 1472;

/// Not given.
inline constexpr double not_given = std::numeric_limits<double>::quiet_NaN();

enum class FieldType : std::uint8_t { u8, i8, u16, i16, u32, i32, u64, i64, f32, f64 };

enum class FieldUse : std::uint8_t {
  signal,   ///< a value of the plant, or a number that is always sent
  counter,  ///< counts the frames of the sender, one by one, and begins again behind its largest value
  time,     ///< the sender's time when it sends: whole ns, or seconds where it is a float
  constant  ///< the same in every frame: it tells frames apart and shows a wrong byte order
};

struct FieldPlan {
  const char* name;
  FieldType type;
  FieldUse use = FieldUse::signal;
  std::uint16_t at;            ///< bytes before it
  const char* path = nullptr;  ///< plant input (receive) or path of the table (send); nullptr: neither
  double scale = 1.0;          ///< receive: plant = field * scale + offset; send: field = plant * scale + offset
  double offset = 0.0;
  double constant = 0.0;  ///< of a constant; send: what stands in a field without a path
  /// Send: in the safe state, as it stands in the field; where it is not given the last value, or the constant.
  double safe = not_given;
  double minimum = not_given;  ///< as it stands in the field; values beyond are taken, or sent, and counted
  double maximum = not_given;
};

/// What the inputs of a frame get while it stays away.
enum class Missing : std::uint8_t {
  safe,        ///< the last values up to the time-out, then the safe values of the plant
  hold,        ///< the last values, for as long as it lasts
  extrapolate  ///< floats go on along the last two frames, by their stamps, up to the time-out; then as safe
};

struct FramePlan {
  const char* name;      ///< "Command"
  std::uint16_t length;  ///< bytes, exactly
  std::span<const FieldPlan> fields;
  std::int64_t timeout_ns = 0;  ///< receive: how long it may stay away
  std::int64_t late_ns = 0;     ///< receive: later than the quickest by more than this is late
  Missing missing = Missing::safe;
  std::int64_t period_ns = 0;  ///< send
};

struct BusPlan {
  const char* name;       ///< [bus.NAME]
  const char* interface;  ///< of the network: "lo"
  std::uint16_t port;     ///< on which the plant receives and from which it sends
  const char* peer;       ///< "127.0.0.1:5006": to whom it sends, and the only one whom it hears
  bool big_endian;        ///< most significant byte first
  std::int64_t grid_ns;   ///< of the I/O thread
  int priority;           ///< SCHED_FIFO priority of the I/O thread, below the plant's
  std::span<const FramePlan> receive;
  std::span<const FramePlan> send;
};

}  // namespace takt::udp
