#pragma once
// The time-stamp counter. Constant rate on every x86-64 CPU of the last 15 years; the rate is measured.

#include <x86intrin.h>

#include <cstdint>

namespace takt::platform {

inline std::uint64_t cycle_counter() noexcept { return __rdtsc(); }
/// Ticks per second where the CPU tells; 0: measure.
inline std::uint64_t cycle_counter_frequency() noexcept { return 0; }
inline void relax() noexcept { _mm_pause(); }

}  // namespace takt::platform
