#include "runtime/steering/window_copies.hpp"

#include <algorithm>
#include <cstring>

namespace takt {

WindowCopies::WindowCopies(const PlantDescription& plant)
    : memory_(plant.memory),
      subsystems_(plant.subsystems),
      macro_step_ns_(plant.macro_step_ns),
      copy_of_(plant.subsystems.size(), none),
      copies_(most) {
  for (Copy& copy : copies_) copy.memory.resize(room);
}

bool WindowCopies::begin(std::uint16_t subsystem) noexcept {
  const SubsystemDescription& s = subsystems_[subsystem];
  const auto free = std::find_if(copies_.begin(), copies_.end(), [](const Copy& copy) { return copy.free; });
  if (free == copies_.end() || wants(subsystem) ||
      window_bytes(s) * static_cast<std::size_t>(macro_step_ns_ / s.period_ns) > room)
    return false;
  free->free = false, free->used = 0;
  copy_of_[subsystem] = static_cast<std::uint8_t>(free - copies_.begin());
  return true;
}

void WindowCopies::end(std::uint16_t subsystem) noexcept {
  if (!wants(subsystem)) return;
  copies_[copy_of_[subsystem]].free = true;
  copy_of_[subsystem] = none;
}

void WindowCopies::keep(std::uint16_t subsystem) noexcept {
  Copy& copy = copies_[copy_of_[subsystem]];
  const SubsystemDescription& s = subsystems_[subsystem];
  const std::size_t bytes = window_bytes(s);
  if (copy.used + bytes > room) return;
  std::memcpy(copy.memory.data() + copy.used, memory_ + s.offset, bytes);
  copy.used += bytes;
}

std::span<const std::byte> WindowCopies::taken(std::uint16_t subsystem) const noexcept {
  if (!wants(subsystem)) return {};
  const Copy& copy = copies_[copy_of_[subsystem]];
  return {copy.memory.data(), copy.used};
}

void WindowCopies::clear(std::uint16_t subsystem) noexcept {
  if (wants(subsystem)) copies_[copy_of_[subsystem]].used = 0;
}

}  // namespace takt
