#pragma once
// Subnormal numbers on x86-64. A decaying state passes through them on its way to zero, and each operation on one may
// cost a hundred times its usual time: a hidden overrun. Same names in every platform folder.

#include <xmmintrin.h>

namespace takt::platform {

/// From here on this thread, and every thread it starts, takes subnormal operands and results as zero.
/// Real-time: yes; called once at start.
inline void flush_denormals() noexcept {
  constexpr unsigned flush_to_zero = 1u << 15, denormals_are_zero = 1u << 6;
  _mm_setcsr(_mm_getcsr() | flush_to_zero | denormals_are_zero);
}

}  // namespace takt::platform
