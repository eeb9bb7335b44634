#include "runtime/fmu_export/serialised_state.hpp"

#include <cstring>

#include "runtime/io/can/protect/crc.hpp"

namespace takt::fmu_export {
namespace {

/// In the order of the bytes.
template <class State, class Call>
void for_parts(State& state, const Call& call) {
  call(state.given);
  call(state.plant.memory);
  call(state.plant.exchanges);
  call(state.plant.inputs);
  call(state.plant.events);
}

template <class State, class Call>
void for_numbers(State& state, const Call& call) {
  call(state.phase);
  call(state.started);
  call(state.plant.macro_steps);
  call(state.plant.digest);
}

void append(std::vector<std::byte>& to, const void* from, std::size_t size) {
  const auto* bytes = static_cast<const std::byte*>(from);
  to.insert(to.end(), bytes, bytes + size);
}

std::uint32_t checksum(std::span<const std::byte> bytes) {
  can::CrcSum sum({.width = 32, .polynomial = 0x04C11DB7, .start = ~0U, .exclusive_or = ~0U, .reflected = true});
  for (const std::byte byte : bytes) sum.add(static_cast<std::uint8_t>(byte));
  return static_cast<std::uint32_t>(sum.value());
}

/// Takes from the front.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}
  bool take(void* to, std::size_t size) {
    if (size > rest_.size()) return false;
    if (size > 0) std::memcpy(to, rest_.data(), size);
    rest_ = rest_.subspan(size);
    return true;
  }
  [[nodiscard]] std::size_t left() const { return rest_.size(); }

 private:
  std::span<const std::byte> rest_;
};

}  // namespace

std::vector<std::byte> serialise(const InstanceState& state, const char* token) {
  std::vector<std::byte> bytes;
  append(bytes, token, std::strlen(token) + 1);
  for_numbers(state, [&](const auto& number) { append(bytes, &number, sizeof number); });
  for_parts(state, [&](const auto& part) {
    const std::uint64_t count = part.size();
    append(bytes, &count, sizeof count);
    append(bytes, part.data(), part.size() * sizeof part[0]);
  });
  const std::uint32_t sum = checksum(bytes);
  append(bytes, &sum, sizeof sum);
  return bytes;
}

std::unique_ptr<InstanceState> deserialise(std::span<const std::byte> bytes, const char* token, std::string& why) {
  std::uint32_t stored = 0;
  const std::size_t name = std::strlen(token) + 1;
  if (bytes.size() < name + sizeof stored || std::memcmp(bytes.data(), token, name) != 0) {
    why = "the serialised state is of another FMU, or of another build of this one";
    return nullptr;
  }
  const auto content = bytes.first(bytes.size() - sizeof stored);
  std::memcpy(&stored, bytes.data() + content.size(), sizeof stored);
  auto state = std::make_unique<InstanceState>();
  Reader reader(content.subspan(name));
  bool whole = stored == checksum(content);
  for_numbers(*state, [&](auto& number) { whole = whole && reader.take(&number, sizeof number); });
  for_parts(*state, [&](auto& part) {
    std::uint64_t count = 0;
    whole = whole && reader.take(&count, sizeof count) && count <= reader.left() / sizeof part[0];
    if (!whole) return;
    part.resize(count);
    whole = reader.take(part.data(), count * sizeof part[0]);
  });
  if (whole) return state;
  why = "the serialised state is damaged";
  return nullptr;
}

}  // namespace takt::fmu_export
