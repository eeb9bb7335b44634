#pragma once
// Subnormal numbers on aarch64: see the same file of linux-x86_64.

#include <cstdint>

namespace takt::platform {

/// From here on this thread, and every thread it starts, takes subnormal operands and results as zero.
/// Real-time: yes; called once at start.
inline void flush_denormals() noexcept {
  constexpr std::uint64_t flush_to_zero = std::uint64_t{1} << 24;
  std::uint64_t control = 0;
  asm volatile("mrs %0, fpcr" : "=r"(control));
  asm volatile("msr fpcr, %0" : : "r"(control | flush_to_zero));
}

/// How this thread rounds, traps and treats subnormal numbers; for code that is called by somebody else.
/// Real-time: yes.
[[nodiscard]] inline std::uint64_t floating_point_control() noexcept {
  std::uint64_t control = 0;
  asm volatile("mrs %0, fpcr" : "=r"(control));
  return control;
}
/// @param control  of floating_point_control()
inline void set_floating_point_control(std::uint64_t control) noexcept {
  asm volatile("msr fpcr, %0" : : "r"(control));
}
/// Rounds to nearest, traps nothing, subnormal numbers as zero: whatever the caller had set.
inline void compute_as_in_runs() noexcept {
  set_floating_point_control(0);  // the state in which a process begins
  flush_denormals();
}

}  // namespace takt::platform
