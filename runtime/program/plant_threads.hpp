#pragma once
// The real-time threads of a run, in one process or in several, and what is known of each afterwards.

#include <functional>
#include <memory_resource>
#include <optional>
#include <vector>

#include "runtime/executive/executive.hpp"
#include "runtime/executive/realtime_thread.hpp"
#include "runtime/program/core_use.hpp"
#include "runtime/program/evidence.hpp"
#include "runtime/program/worker_processes.hpp"
#include "runtime/stats/run_results.hpp"

namespace takt {

/// Phases: construct (makes the processes, if asked for; call it while the process has one thread), run(), evidence().
class PlantThreads {
 public:
  struct Settings {
    bool paced = false;
    int priority = 80;                            ///< of the plant; threads of long windows go below those of buses
    std::pmr::memory_resource* shared = nullptr;  ///< each worker but the first in a process of its own, over this
    int only = -1;                                ///< of several hosts: the worker that this one computes; -1: all
    std::function<bool()> begins{};               ///< on the thread of run(), just before it; false: not at all
    bool leads = false;                           ///< whichever that is: Executive::run(), in real time
    std::size_t stack_size = RealtimeSettings{}.stack_size;  ///< of each thread, B: thread_stack()
  };
  /// @param executive  prepared; stays where it is  @param cores  outlives this
  /// @throw std::runtime_error  a process cannot be made
  PlantThreads(Executive& executive, const CoreUse& cores, const Settings& settings);

  /// Real-time threads run the plant to its end.  @throw std::runtime_error  a thread cannot be made
  void run(RunResults& results);
  /// After run(), by worker.
  [[nodiscard]] const std::vector<HostEvidence>& evidence() const noexcept { return evidence_; }

 private:
  [[nodiscard]] int priority_of(std::size_t worker) const;
  static void note(RunResults& results, const std::vector<RealtimeOutcome>& outcomes);

  Executive& executive_;
  const CoreUse& cores_;
  Settings settings_;
  std::deque<HostSampler> samplers_;  // by worker, as the tasks
  std::vector<RealtimeTask> tasks_;
  std::optional<WorkerProcesses> processes_;
  std::vector<HostEvidence> evidence_;
};

}  // namespace takt
