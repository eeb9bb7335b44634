#pragma once
// The virtual counter of the generic timer (typically 24 MHz to 1 GHz), readable from user space on Linux.

#include <cstdint>

namespace takt::platform {

inline std::uint64_t cycle_counter() noexcept {
  std::uint64_t ticks;
  asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
}
/// Ticks per second where the CPU tells; 0: measure.
inline std::uint64_t cycle_counter_frequency() noexcept {
  std::uint64_t frequency;
  asm volatile("mrs %0, cntfrq_el0" : "=r"(frequency));
  return frequency;
}
inline void relax() noexcept { asm volatile("yield"); }

}  // namespace takt::platform
