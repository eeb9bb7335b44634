#pragma once
// The CPU's counter on aarch64: the virtual generic timer. Same names in every platform folder.
// Durations only; lateness is judged by CLOCK_MONOTONIC. Resolution is that of the timer: 16 ns to 52 ns on common
// boards.

#include <cstdint>

namespace takt::platform {

/// Counter now. Waits for earlier instructions to finish, so that a measured window is not measured in part.
/// Real-time: about 20 ns, no system call.
[[nodiscard]] inline std::uint64_t cycle_counter() noexcept {
  std::uint64_t count = 0;
  asm volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(count)::"memory");
  return count;
}

/// Counter at about this instruction, without that wait: a boundary between two measured stretches, which may lie
/// within what the CPU has begun and not finished; their sum is right. Real-time: no system call.
[[nodiscard]] inline std::uint64_t cycle_counter_in_passing() noexcept {
  std::uint64_t count = 0;
  asm volatile("mrs %0, cntvct_el0" : "=r"(count)::"memory");
  return count;
}

/// Counts per second where the CPU tells it, else 0: calibrate against CLOCK_MONOTONIC.
[[nodiscard]] inline std::uint64_t cycle_counter_frequency() noexcept {
  std::uint64_t frequency = 0;
  asm volatile("mrs %0, cntfrq_el0" : "=r"(frequency));
  return frequency;
}

/// Whether the counter runs at one rate whatever the clock of the core does.
[[nodiscard]] inline bool counter_is_steady() noexcept { return true; }

/// Hint inside a busy-wait.  Real-time: yes.
inline void relax() noexcept { asm volatile("yield"); }

}  // namespace takt::platform
