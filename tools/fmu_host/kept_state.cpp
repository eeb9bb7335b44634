#include "tools/fmu_host/kept_state.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace takt::fmu_host {

void StateWriter::add(std::span<const std::byte> bytes) {
  const std::uint64_t size = bytes.size();
  const auto* head = reinterpret_cast<const std::byte*>(&size);
  bytes_.insert(bytes_.end(), head, head + sizeof size);
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
}

void StateWriter::numbers(std::span<const double> values) { add(std::as_bytes(values)); }

fmu::Result StateWriter::instance(fmu::Instance& of) {
  fmu::SavedState state;
  std::vector<std::byte> bytes;
  fmu::Result result = of.get_state(state);
  if (result.done()) result = of.serialize(state, bytes);
  if (!result.done()) return result;
  add(bytes);
  return of.free_state(state);
}

std::string StateWriter::into(foreign::Block& block) const {
  if (bytes_.size() > block.state_room)
    return "its state has " + std::to_string(bytes_.size()) + " bytes: too many for a checkpoint";
  std::copy(bytes_.begin(), bytes_.end(), block.state());
  block.state_bytes = bytes_.size();
  return {};
}

std::span<const std::byte> StateReader::next() {
  std::uint64_t size = 0;
  if (bytes_.size() < sizeof size) return {};
  std::memcpy(&size, bytes_.data(), sizeof size);
  bytes_ = bytes_.subspan(sizeof size);
  if (size > bytes_.size()) return {};
  const auto piece = bytes_.first(size);
  bytes_ = bytes_.subspan(size);
  return piece;
}

bool StateReader::numbers(std::span<double> values) {
  const auto piece = next();
  if (piece.size() != values.size_bytes()) return false;
  if (!piece.empty()) std::memcpy(values.data(), piece.data(), piece.size());
  return true;
}

fmu::Result StateReader::instance(fmu::Instance& of, bool& well) {
  const auto piece = next();
  well = !piece.empty();
  if (!well) return {};
  fmu::SavedState state;
  fmu::Result result = of.deserialize(piece, state);
  if (result.done()) result = of.set_state(state);
  return result.done() ? of.free_state(state) : result;
}

}  // namespace takt::fmu_host
