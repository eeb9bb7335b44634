#pragma once
// A thread made fit for real time as far as the system permits, and what it could not get.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace takt {

struct RealtimeSettings {
  bool realtime = false;  ///< SCHED_FIFO, locked memory, CPUs held awake; else an ordinary thread
  int cpu = -1;           ///< -1: leave to the system
  int priority = 80;
};

struct RealtimeOutcome {
  std::string scheduling = "SCHED_OTHER";
  std::vector<std::string> warnings;  ///< one sentence each: what was refused, what it costs, what would help
  std::uint64_t minor_faults = 0, major_faults = 0, involuntary_switches = 0;  ///< of the thread, while `work` ran
};

/// Locks memory, pre-faults the stack, sets affinity and scheduling of a new thread, runs `work` on it and waits for
/// it. Other threads of the process are kept off the thread's CPU where there is another. @param started  called on the
/// new thread just before `work`, with its kernel id.
/// @throw std::runtime_error  the thread could not be created, or the CPU does not exist
RealtimeOutcome run_realtime_thread(const RealtimeSettings& settings, const std::function<void(int thread_id)>& started,
                                    const std::function<void()>& work);

/// Moves the calling thread, and all it starts from now on, off a CPU. Nothing happens where no other is left.
void avoid_cpu(int cpu);

}  // namespace takt
