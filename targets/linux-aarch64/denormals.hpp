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

}  // namespace takt::platform
