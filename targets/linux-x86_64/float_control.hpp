#pragma once
// The control words of floating-point units on x86-64: rounding, masks of exceptions, subnormal numbers (MXCSR),
// precision (x87). Same names in every platform folder.

#include <xmmintrin.h>

#include <cstdint>

namespace takt::platform {

/// Without the bits that say which exceptions have been: two of them are equal where arithmetic is.
struct FloatControl {
  std::uint32_t mxcsr = 0;
  std::uint16_t x87 = 0;
  bool operator==(const FloatControl&) const = default;
};

/// As a C program begins: nearest, nothing traps, subnormal numbers are numbers, x87 with 64 bits.
inline constexpr FloatControl plain_float_control{0x1f80, 0x037f};

[[nodiscard]] inline FloatControl float_control() noexcept {
  constexpr unsigned sticky = 0x3f;
  FloatControl control{_mm_getcsr() & ~sticky, 0};
  asm volatile("fnstcw %0" : "=m"(control.x87));
  return control;
}

/// Of this thread. Clears the sticky bits. Real-time: yes.
inline void set_float_control(const FloatControl& control) noexcept {
  _mm_setcsr(control.mxcsr);
  asm volatile("fldcw %0" : : "m"(control.x87));
}

}  // namespace takt::platform
