#pragma once
// Subnormal numbers on x86-64. A decaying state passes through them on its way to zero, and each operation on one may
// cost a hundred times its usual time: a hidden overrun. Same names in every platform folder.

#include <xmmintrin.h>

#include <cstdint>

namespace takt::platform {

/// From here on this thread, and every thread it starts, takes subnormal operands and results as zero.
/// Real-time: yes; called once at start.
inline void flush_denormals() noexcept {
  constexpr unsigned flush_to_zero = 1u << 15, denormals_are_zero = 1u << 6;
  _mm_setcsr(_mm_getcsr() | flush_to_zero | denormals_are_zero);
}

/// How this thread rounds, traps and treats subnormal numbers; for code that is called by somebody else.
/// Real-time: yes.
[[nodiscard]] inline std::uint64_t floating_point_control() noexcept { return _mm_getcsr(); }
/// @param control  of floating_point_control()
inline void set_floating_point_control(std::uint64_t control) noexcept { _mm_setcsr(static_cast<unsigned>(control)); }
/// Rounds to nearest, traps nothing, subnormal numbers as zero: whatever the caller had set.
inline void compute_as_in_runs() noexcept {
  constexpr unsigned all_masked = 0x1f80;  // the state in which a process begins
  _mm_setcsr(all_masked);
  flush_denormals();
}

}  // namespace takt::platform
