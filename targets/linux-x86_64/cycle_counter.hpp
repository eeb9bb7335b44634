#pragma once
// The CPU's counter on x86-64: the time stamp counter. Same names in every platform folder.
// Durations only; lateness is judged by CLOCK_MONOTONIC.

#include <cpuid.h>
#include <x86intrin.h>

#include <cstdint>

namespace takt::platform {

/// Counter now. Waits for earlier instructions to finish, so that a measured window is not measured in part.
/// Real-time: about 10 ns, no system call.
[[nodiscard]] inline std::uint64_t cycle_counter() noexcept {
  unsigned cpu = 0;
  return __rdtscp(&cpu);
}

/// Counter at about this instruction, without that wait: a boundary between two measured stretches, which may lie
/// within what the CPU has begun and not finished; their sum is right. Real-time: no system call.
[[nodiscard]] inline std::uint64_t cycle_counter_in_passing() noexcept { return __rdtsc(); }

/// Counts per second where the CPU tells it, else 0: calibrate against CLOCK_MONOTONIC.
[[nodiscard]] inline std::uint64_t cycle_counter_frequency() noexcept { return 0; }

/// Whether the counter runs at one rate whatever the clock of the core does (invariant TSC).
[[nodiscard]] inline bool counter_is_steady() noexcept {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(0x80000007u, &a, &b, &c, &d) != 0 && (d & (1u << 8)) != 0;
}

/// Hint inside a busy-wait.  Real-time: yes.
inline void relax() noexcept { _mm_pause(); }

}  // namespace takt::platform
