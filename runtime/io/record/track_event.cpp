#include "runtime/io/record/track_event.hpp"

#include <bit>

namespace takt::perfetto {
namespace {

constexpr std::uint32_t varint_value = 0, eight_bytes = 1, length_and_bytes = 2;  // wire types of protobuf

// Numbers of fields.
namespace trace {
constexpr std::uint32_t packet = 1;
}
namespace packet {
constexpr std::uint32_t timestamp = 8, sequence = 10, track_event = 11, interned_data = 12, sequence_flags = 13,
                        defaults = 59, track_descriptor = 60;
constexpr std::uint64_t state_cleared = 1, needs_state = 2;  // sequence_flags
}  // namespace packet
namespace interned {
constexpr std::uint32_t event_names = 2, argument_names = 3, number = 1, text = 2;
}
namespace event {
constexpr std::uint32_t annotations = 4, type = 9, name_number = 10, track = 11, name = 23, counter_value = 44;
}
namespace annotation {
constexpr std::uint32_t name_number = 1, integer = 4, real = 5, text = 6;
}
namespace descriptor {
constexpr std::uint32_t track = 1, name = 2, process = 3, thread = 4, parent = 5, counter = 8;
}

constexpr std::uint32_t event_defaults = 11;  // of TracePacketDefaults

void append(std::string& out, const Message& packet) {
  Message whole;
  whole.message(trace::packet, packet);
  out += whole.bytes();
}

void append_descriptor(std::string& out, const Message& track) {
  Message packet;
  packet.message(packet::track_descriptor, track);
  append(out, packet);
}

}  // namespace

void Message::varint(std::uint64_t value) {
  for (; value >= 0x80U; value >>= 7U) bytes_.push_back(static_cast<char>(value | 0x80U));
  bytes_.push_back(static_cast<char>(value));
}

Message& Message::number(std::uint32_t field, std::uint64_t value) {
  varint(field << 3U | varint_value);
  varint(value);
  return *this;
}

Message& Message::real(std::uint32_t field, double value) {
  varint(field << 3U | eight_bytes);
  const auto bits = std::bit_cast<std::uint64_t>(value);
  for (unsigned byte = 0; byte < 8; ++byte) bytes_.push_back(static_cast<char>(bits >> 8U * byte));
  return *this;
}

Message& Message::text(std::uint32_t field, std::string_view value) {
  varint(field << 3U | length_and_bytes);
  varint(value.size());
  bytes_ += value;
  return *this;
}

Name Sequence::name(std::string_view text) {
  Message entry;
  entry.number(interned::number, ++names_).text(interned::text, text);
  interned_.message(interned::event_names, entry);
  return Name{names_};
}

Argument Sequence::argument(std::string_view text) {
  Message entry;
  entry.number(interned::number, ++arguments_).text(interned::text, text);
  interned_.message(interned::argument_names, entry);
  return Argument{arguments_};
}

void Sequence::begin() {
  Message event, defaults, packet;
  event.number(event::track, track_);
  defaults.message(event_defaults, event);
  packet.number(packet::sequence, number_)
      .number(packet::sequence_flags, packet::state_cleared)
      .message(packet::defaults, defaults)
      .message(packet::interned_data, interned_);
  append(out_, packet);
}

Sequence& Sequence::event(EventType type, std::int64_t ns) {
  const double less = of_.less_per_ns * static_cast<double>(ns - of_.when_ns);
  ns += of_.later_ns - static_cast<std::int64_t>(less);
  packet_.clear();
  packet_.number(packet::timestamp, static_cast<std::uint64_t>(ns))
      .number(packet::sequence, number_)
      .number(packet::sequence_flags, packet::needs_state);
  event_.clear();
  event_.number(event::type, static_cast<std::uint64_t>(type));
  return *this;
}

Sequence& Sequence::named(Name name) {
  event_.number(event::name_number, static_cast<std::uint64_t>(name));
  return *this;
}

Sequence& Sequence::named(std::string_view text) {
  event_.text(event::name, text);
  return *this;
}

Sequence& Sequence::on(std::uint64_t track) {
  event_.number(event::track, track);
  return *this;
}

Sequence& Sequence::with(Argument argument, std::int64_t value) {
  annotation_.clear();
  annotation_.number(annotation::name_number, static_cast<std::uint64_t>(argument))
      .number(annotation::integer, static_cast<std::uint64_t>(value));
  event_.message(event::annotations, annotation_);
  return *this;
}

Sequence& Sequence::with(Argument argument, double value) {
  annotation_.clear();
  annotation_.number(annotation::name_number, static_cast<std::uint64_t>(argument)).real(annotation::real, value);
  event_.message(event::annotations, annotation_);
  return *this;
}

Sequence& Sequence::with(Argument argument, std::string_view value) {
  annotation_.clear();
  annotation_.number(annotation::name_number, static_cast<std::uint64_t>(argument)).text(annotation::text, value);
  event_.message(event::annotations, annotation_);
  return *this;
}

Sequence& Sequence::counted(double value) {
  event_.real(event::counter_value, value);
  return *this;
}

void Sequence::end_event() {
  packet_.message(packet::track_event, event_);
  append(out_, packet_);
}

void describe_process(std::string& out, const Process& process) {
  Message message, track_message;
  message.number(1, process.id).text(6, process.name);  // pid, process_name
  track_message.number(descriptor::track, process.track).message(descriptor::process, message);
  append_descriptor(out, track_message);
}

void describe_thread(std::string& out, const Thread& thread) {
  Message message, track;
  message.number(1, thread.process).number(2, static_cast<std::uint64_t>(thread.id)).text(5, thread.name);
  track.number(descriptor::track, thread.track).message(descriptor::thread, message);
  append_descriptor(out, track);
}

void describe_counter(std::string& out, const Counter& counter) {
  Message message, track;
  message.text(6, counter.unit);  // unit_name
  track.number(descriptor::track, counter.track)
      .text(descriptor::name, counter.name)
      .number(descriptor::parent, counter.parent)
      .message(descriptor::counter, message);
  append_descriptor(out, track);
}

}  // namespace takt::perfetto
