#pragma once
// Who took the CPU away: samples of the kernel's own counters, taken by a thread of low priority while the plant runs,
// held against the overruns afterwards. The real-time thread never reads them.

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "runtime/program/cpu_takers.hpp"
#include "runtime/stats/overrun.hpp"

namespace takt {

/// Counters at one time; they only grow.
struct HostSample {
  WallTime time;
  WallDuration steal;           ///< of the plant's CPU, or of all; resolution 1/100 s
  WallDuration run_delay;       ///< the thread was runnable, but waited for a CPU
  WallDuration kept_from_idle;  ///< of that, seen every 10 ms: its CPU was idle nevertheless
  WallDuration idle;            ///< of its CPU; resolution 1/100 s
  int taker = -1;               ///< index: who was seen on its CPU meanwhile, since the sample before; -1: nobody
};

struct HostEvidence {
  std::vector<HostSample> samples;  ///< in order of time
  std::vector<std::string> takers;
  std::vector<WallTime> continued;  ///< times at which the process went on after a stop (SIGCONT)
};

/// Writes the evidence of each incident, by what was seen of the worker that was late, or that a late one waited
/// for. Where it accounts for at least half of the incident's excess, the cause is no longer where it was measured but
/// who did it:
///   stopped       the process was continued within the incident
///   preempted     the thread was kept waiting for its CPU, by whom is named where that was seen
///   throttled     the same with its CPU idle: the kernel's limit for real-time threads, or a control group's quota
///   stolen        steal grew, and the excess is 1 ms or more (below, its resolution proves nothing)
/// Counts by cause are adapted.
void attribute(OverrunLog& log, std::span<const HostEvidence> of_workers);

/// Looks at the thread every 10 ms, samples every 50 ms; the last 2 hours are kept.
class HostSampler {
 public:
  /// @param cpu  the plant's CPU; -1: steal of all together
  explicit HostSampler(int cpu);
  ~HostSampler() { stop(); }
  HostSampler(const HostSampler&) = delete;
  HostSampler& operator=(const HostSampler&) = delete;
  /// The thread that counts. From any thread, once.  Real-time: wait-free.
  void watch(int thread_id) noexcept { thread_id_.store(thread_id, std::memory_order_relaxed); }
  /// By the thread itself, before it ends: how long it was kept waiting shows only now.
  void leave(int thread_id);
  /// Takes a last sample.
  void stop();
  /// After stop(); without what only signals tell.
  [[nodiscard]] HostEvidence evidence() const;

 private:
  void work();
  void look();
  void note_taker(int cpu);
  void sample();

  std::atomic<int> thread_id_{-1};
  std::atomic<WallDuration> last_run_delay_{};
  int cpu_;
  ThreadState thread_;  // as last seen
  bool waiting_ = false, looked_for_taker_ = false;
  WallDuration idle_before_, kept_from_idle_, idle_, sampled_idle_;
  int sampled_cpu_ = -1;
  int taker_ = -1;
  std::vector<std::string> takers_;
  std::vector<HostSample> ring_;
  std::size_t taken_ = 0;
  std::atomic<bool> stop_{false};
  std::thread worker_;
};

}  // namespace takt
