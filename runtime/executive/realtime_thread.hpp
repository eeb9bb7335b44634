#pragma once
// Threads made fit for real time as far as the system permits, and what they could not get.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace takt {

struct RealtimeSettings {
  bool realtime = false;                          ///< SCHED_FIFO, locked memory, CPUs held awake; else ordinary threads
  std::size_t stack_size = std::size_t{4} << 20;  ///< of each thread, B
};

struct RealtimeTask {
  int cpu = -1;  ///< -1: leave to the system
  int priority = 80;
  std::function<void(int)> started = {};  ///< called on the new thread just before `work`, with its kernel id
  std::function<void()> work = {};
  std::function<void(int)> ended = {};  ///< after it, on the same thread
};

struct RealtimeOutcome {
  std::string scheduling = "SCHED_OTHER";
  std::vector<std::string> warnings;  ///< one sentence each: what was refused, what it costs, what would help
  std::uint64_t minor_faults = 0, major_faults = 0, involuntary_switches = 0;  ///< of the threads, while `work` ran
  bool lost = false;                                                           ///< it did not come to its end
};

/// Locks memory, pre-faults the stacks, sets affinity and scheduling of a new thread for each task, runs their `work`
/// and waits for all.
/// @throw std::runtime_error  a thread could not be created, or a CPU does not exist: then no work has been begun
RealtimeOutcome run_realtime_threads(const RealtimeSettings& settings, std::span<const RealtimeTask> tasks);

/// Moves the calling thread, and all it starts from now on, off a CPU. Nothing happens where no other is left.
void avoid_cpu(int cpu);

}  // namespace takt
