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

/// How the kernel ranks a thread, as /proc shows it.
struct Scheduling {
  int policy = 0;    ///< SCHED_FIFO and so on, of sched.h
  int priority = 0;  ///< 1 to 99 of SCHED_FIFO and SCHED_RR, else 0
};

/// Whether a thread of the one kind can keep one of the other kind from its CPU: by its class and priority alone.
/// Equals can: who runs under SCHED_FIFO stays, and others take turns.
[[nodiscard]] bool can_hold_off(const Scheduling& taker, const Scheduling& held);

/// Of the threads that are runnable on this CPU and can hold off this one, the first by class and priority:
/// "stress-ng (process 4711, SCHED_FIFO 90)"; empty: none is seen, or the thread is not there.
[[nodiscard]] std::string taker_of(int cpu, int held_thread_id);

/// Time of a CPU in /proc/stat; of all together where it is -1. Resolution 1/100 s.
struct CpuTimes {
  WallDuration idle, steal;
};
[[nodiscard]] CpuTimes cpu_times(int cpu);

}  // namespace takt
