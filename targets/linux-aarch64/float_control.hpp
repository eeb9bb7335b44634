#pragma once
// The control word of floating-point units on aarch64: see the same file of linux-x86_64.

#include <cstdint>

namespace takt::platform {

struct FloatControl {
  std::uint64_t fpcr = 0;
  bool operator==(const FloatControl&) const = default;
};

/// As a C program begins: nearest, nothing traps, subnormal numbers are numbers.
inline constexpr FloatControl plain_float_control{0};

[[nodiscard]] inline FloatControl float_control() noexcept {
  FloatControl control;
  asm volatile("mrs %0, fpcr" : "=r"(control.fpcr));
  return control;
}

/// Of this thread. Real-time: yes.
inline void set_float_control(const FloatControl& control) noexcept {
  asm volatile("msr fpcr, %0" : : "r"(control.fpcr));
}

}  // namespace takt::platform
