#pragma once
// Computing time of this thread, s. Not real-time: a system call.

#include <time.h>

namespace takt {

inline double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace takt
