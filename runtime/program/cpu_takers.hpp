#pragma once
// Who has a CPU while a thread waits for it, as /proc shows it.

#include <optional>
#include <string>

#include "runtime/plant/time.hpp"

namespace takt {

/// One thread of this process.
struct ThreadState {
  bool runnable = false;   ///< runs, or waits for a CPU
  int cpu = -1;            ///< it runs on, or ran on last
  WallDuration on_cpu;     ///< time it has computed
  WallDuration run_delay;  ///< time it was runnable without a CPU; counted when it gets one
};

/// @return nullopt where it is not there (yet, or any more)
[[nodiscard]] std::optional<ThreadState> thread_state(int thread_id);

/// Of other threads that run on this CPU the one with the highest priority: "stress-ng (process 4711, SCHED_FIFO 90)";
/// empty: none is seen.
[[nodiscard]] std::string taker_of(int cpu, int except_thread_id);

/// Time of a CPU in /proc/stat; of all together where it is -1. Resolution 1/100 s.
struct CpuTimes {
  WallDuration idle, steal;
};
[[nodiscard]] CpuTimes cpu_times(int cpu);

}  // namespace takt
