#pragma once
// Perfetto's trace format, as far as a run needs it: protobuf by hand.
// Source: perfetto/protos/perfetto/trace/perfetto_trace.proto (messages Trace, TracePacket, TrackDescriptor,
// TrackEvent, InternedData); the numbers of fields are part of the format and do not change.

#include <cstdint>
#include <string>
#include <string_view>

namespace takt::perfetto {

/// A protobuf message being written. A field is a key (number, wire type) and its value.
class Message {
 public:
  Message& number(std::uint32_t field, std::uint64_t value);
  Message& real(std::uint32_t field, double value);
  Message& text(std::uint32_t field, std::string_view value);
  Message& message(std::uint32_t field, const Message& value) { return text(field, value.bytes_); }
  void clear() noexcept { bytes_.clear(); }
  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }

 private:
  void varint(std::uint64_t value);
  std::string bytes_;
};

/// Names written once; packets refer to them by number.
enum class Name : std::uint64_t {};
enum class Argument : std::uint64_t {};
enum class EventType : std::uint8_t { slice_begin = 1, slice_end = 2, instant = 3, counter = 4 };

/// One sequence of packets, whose events lie on one track if nothing else is said. Call order: name() and argument()
/// for all names, begin(), then per event: event(), arguments, end_event().
class Sequence {
 public:
  struct Of {
    std::uint32_t number = 0;   ///< of the sequence, above 0
    std::uint64_t track = 0;    ///< of its events
    std::int64_t later_ns = 0;  ///< is added to times about `when_ns`
    double less_per_ns = 0.0;   ///< so much less for each ns after it
    std::int64_t when_ns = 0;
  };
  /// @param out  gets whole packets
  Sequence(std::string& out, const Of& of) : out_(out), number_(of.number), track_(of.track), of_(of) {}

  Name name(std::string_view text);
  Argument argument(std::string_view text);
  void begin();

  /// @param ns  CLOCK_MONOTONIC
  Sequence& event(EventType type, std::int64_t ns);
  Sequence& named(Name name);
  /// A name that stands in this packet only.
  Sequence& named(std::string_view text);
  Sequence& on(std::uint64_t track);
  Sequence& with(Argument argument, std::int64_t value);
  Sequence& with(Argument argument, double value);
  Sequence& with(Argument argument, std::string_view value);
  Sequence& counted(double value);
  void end_event();

 private:
  std::string& out_;
  std::uint32_t number_;
  std::uint64_t track_;
  const Of of_;
  std::uint64_t names_ = 0, arguments_ = 0;
  Message interned_, packet_, event_, annotation_;
};

/// Appends descriptors of tracks. Numbers of tracks are free, but above 0.
struct Process {
  std::uint64_t track = 0;
  std::uint32_t id = 0;  ///< above 0
  std::string name;
};
void describe_process(std::string& out, const Process& process);
struct Thread {
  std::uint32_t process = 0;
  std::uint64_t track = 0;
  std::int32_t id = 0;  ///< above 0
  std::string name;
};
void describe_thread(std::string& out, const Thread& thread);
struct Counter {
  std::uint64_t track = 0, parent = 0;
  std::string name, unit;
};
void describe_counter(std::string& out, const Counter& counter);

}  // namespace takt::perfetto
