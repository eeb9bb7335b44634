#pragma once
// Waiting in a loop on aarch64: see the same file of linux-x86_64.

namespace takt::platform {

/// Tells the CPU that this is a loop that waits for another one. Real-time: some ns, no system call.
inline void pause_cpu() noexcept { asm volatile("yield"); }

}  // namespace takt::platform
