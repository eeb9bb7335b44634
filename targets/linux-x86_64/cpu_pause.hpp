#pragma once
// Waiting in a loop on x86-64. Same names in every platform folder.

#include <immintrin.h>

namespace takt::platform {

/// Tells the CPU that this is a loop that waits for another one. Real-time: some ten ns, no system call.
inline void pause_cpu() noexcept { _mm_pause(); }

}  // namespace takt::platform
