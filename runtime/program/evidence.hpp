#pragma once
// Whether the machine took the CPU away: samples of the kernel's own counters, taken by a thread of low priority while
// the plant runs, held against the overruns afterwards. The real-time thread never reads them.

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "runtime/stats/overrun.hpp"

namespace takt {

/// Counters at one time.
struct HostSample {
  WallTime time;
  WallDuration steal;      ///< /proc/stat, of the plant's CPU, or of all; resolution 1/100 s
  WallDuration run_delay;  ///< schedstat of the thread: runnable, but waiting for a CPU
};

/// Writes the evidence of each incident and turns it into "stolen by the host" where the counters account for at least
/// half of its excess: run delay, or steal where the excess is 1 ms or more (below, its resolution proves nothing).
/// Counts by cause are adapted.  @param samples  in order of time
void attribute(OverrunLog& log, std::span<const HostSample> samples);

/// Samples each 50 ms, the last 2 hours are kept.
class HostSampler {
 public:
  /// @param cpu  the plant's CPU; -1: steal of all together
  explicit HostSampler(int cpu);
  ~HostSampler() { stop(); }
  HostSampler(const HostSampler&) = delete;
  HostSampler& operator=(const HostSampler&) = delete;
  /// The thread whose run delay counts. From any thread, once.  Real-time: wait-free.
  void watch(int thread_id) noexcept { thread_id_.store(thread_id, std::memory_order_relaxed); }
  /// Takes a last sample.
  void stop();
  /// After stop().
  [[nodiscard]] std::vector<HostSample> samples() const;

 private:
  void work();
  void sample();
  std::atomic<int> thread_id_{-1};
  int cpu_;
  WallDuration run_delay_;
  std::vector<HostSample> ring_;
  std::size_t taken_ = 0;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace takt
