#pragma once
// The state of a flat plant as bytes, and back.

#include <cstring>
#include <span>
#include <vector>

#include "runtime/flat/flat_plant.hpp"

namespace takt::fmu_export {
namespace flat_bytes {

template <class Item>
void append(std::vector<std::byte>& to, const std::vector<Item>& items) {
  const std::uint64_t count = items.size();
  const auto* head = reinterpret_cast<const std::byte*>(&count);
  to.insert(to.end(), head, head + sizeof count);
  const auto* from = reinterpret_cast<const std::byte*>(items.data());
  to.insert(to.end(), from, from + count * sizeof(Item));
}

template <class Item>
[[nodiscard]] bool take(std::span<const std::byte>& from, std::vector<Item>& items) {
  std::uint64_t count = 0;
  if (from.size() < sizeof count) return false;
  std::memcpy(&count, from.data(), sizeof count);
  from = from.subspan(sizeof count);
  if (count > from.size() / sizeof(Item)) return false;
  items.resize(count);
  if (count > 0) std::memcpy(static_cast<void*>(items.data()), from.data(), count * sizeof(Item));
  from = from.subspan(count * sizeof(Item));
  return true;
}

}  // namespace flat_bytes

[[nodiscard]] inline std::vector<std::byte> bytes_of(const flat::FlatState& state) {
  std::vector<std::byte> bytes;
  flat_bytes::append(bytes, state.point);
  flat_bytes::append(bytes, state.gates.legs);
  flat_bytes::append(bytes, state.gates.timed);
  flat_bytes::append(bytes, state.gates.levels);
  flat_bytes::append(bytes,
                     std::vector<std::int64_t>{state.sample_ns, state.inputs_moved ? 1 : 0, state.solved ? 1 : 0});
  return bytes;
}

[[nodiscard]] inline bool read_bytes(std::span<const std::byte> bytes, flat::FlatState& state) {
  std::vector<std::int64_t> numbers;
  if (!flat_bytes::take(bytes, state.point) || !flat_bytes::take(bytes, state.gates.legs) ||
      !flat_bytes::take(bytes, state.gates.timed) || !flat_bytes::take(bytes, state.gates.levels) ||
      !flat_bytes::take(bytes, numbers) || numbers.size() != 3)
    return false;
  state.sample_ns = numbers[0];
  state.inputs_moved = numbers[1] != 0;
  state.solved = numbers[2] != 0;
  return true;
}

}  // namespace takt::fmu_export
