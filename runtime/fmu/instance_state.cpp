// States of an instance: taken, set, as bytes; and what a result says in words.

#include <cstdio>
#include <cstring>

#include "runtime/fmu/instance_call.hpp"

namespace takt::fmu {
namespace {

constexpr const char* no_state = "the FMU does not give its state";
constexpr const char* no_bytes = "the FMU does not serialise its state";

/// Before the FMU's own bytes.
struct Head {
  char magic[4] = {'T', 'F', 'S', '1'};
  std::uint16_t mode = 0;
  std::uint8_t set_since_step = 0;
  std::uint8_t version = 0;
};
static_assert(sizeof(Head) == 8);

}  // namespace

Result Instance::get_state(SavedState& state) noexcept {
  if (!table_.can.get_and_set_state) return refused("GetFMUState", no_state);
  const Result result = call_in(Call::get_state, "GetFMUState", [&] { return calls_->get_state(state.handle); });
  if (result.done()) state.mode = mode_, state.set_since_step = set_since_step_;
  return result;
}

Result Instance::set_state(const SavedState& state) noexcept {
  if (!table_.can.get_and_set_state) return refused("SetFMUState", no_state);
  if (state.handle == nullptr) return refused("SetFMUState", "no state was taken");
  const Result result = call_in(Call::set_state, "SetFMUState", [&] { return calls_->set_state(state.handle); });
  if (result.done()) mode_ = state.mode, set_since_step_ = state.set_since_step;
  return result;
}

Result Instance::free_state(SavedState& state) noexcept {
  if (state.handle == nullptr) return {};
  const Result result = call_in(Call::set_state, "FreeFMUState", [&] { return calls_->free_state(state.handle); });
  if (result.done()) state = {};
  return result;
}

Result Instance::serialize(const SavedState& state, std::vector<std::byte>& bytes) {
  if (!table_.can.serialize_state) return refused("SerializeFMUState", no_bytes);
  std::size_t size = 0;
  const Result sized =
      call_in(Call::get_state, "SerializedFMUStateSize", [&] { return calls_->serialized_size(state.handle, size); });
  if (!sized.done()) return sized;
  const Head head{{'T', 'F', 'S', '1'},
                  static_cast<std::uint16_t>(state.mode),
                  state.set_since_step,
                  static_cast<std::uint8_t>(table_.version)};
  bytes.resize(sizeof head + size);
  std::memcpy(bytes.data(), &head, sizeof head);
  const std::span<std::byte> own = std::span(bytes).subspan(sizeof head);
  return call_in(Call::get_state, "SerializeFMUState", [&] { return calls_->serialize(state.handle, own); });
}

Result Instance::deserialize(std::span<const std::byte> bytes, SavedState& state) {
  if (!table_.can.serialize_state) return refused("DeserializeFMUState", no_bytes);
  Head head;
  if (bytes.size() < sizeof head) return refused("DeserializeFMUState", "these bytes are no state");
  std::memcpy(&head, bytes.data(), sizeof head);
  if (std::memcmp(head.magic, Head{}.magic, sizeof head.magic) != 0 ||
      head.version != static_cast<std::uint8_t>(table_.version))
    return refused("DeserializeFMUState", "these bytes are no state of such an FMU");
  const Result result = call_in(Call::set_state, "DeserializeFMUState",
                                [&] { return calls_->deserialize(bytes.subspan(sizeof head), state.handle); });
  if (result.done()) state.mode = static_cast<Mode>(head.mode), state.set_since_step = head.set_since_step != 0;
  return result;
}

std::string describe(const Result& result, Instance& instance) {
  std::string text = std::string(result.function) + ": " + name_of(result.status);
  if (result.status == Status::refused) return text + ": " + result.reason;
  if (instance.message().text()[0] != 0) text += std::string(": the FMU says: ") + instance.message().text();
  return text;
}

std::string describe_end(double t, Instance& instance, std::uint64_t messages_before) {
  char text[80];
  std::snprintf(text, sizeof text, "the FMU ended the simulation at %.9g s", t);
  const Message& message = instance.message();
  return message.count() == messages_before || message.text()[0] == 0 ? text
                                                                      : text + std::string(": ") + message.text();
}

}  // namespace takt::fmu
