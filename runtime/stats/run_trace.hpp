#pragma once
// The trace of a run: a ring of events per worker, and what their numbers stand for.

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <memory_resource>
#include <string>
#include <vector>

#include "runtime/plant/time.hpp"
#include "runtime/stats/trace_ring.hpp"

namespace takt {

/// Of one worker.
struct TraceTrack {
  std::vector<std::uint16_t> subsystems;  ///< by slot
  std::vector<WallDuration> allowed;      ///< by instant: from its release to the deadline
  TraceRing ring;
};

/// Wall clock and counter, read at the same moment.
struct TraceAnchor {
  WallTime time;
  std::uint64_t ticks = 0;
};

/// Filled while the plant runs, read after it. Not movable: rings refer to the places. Other processes may write their
/// rings: all of it is in memory of std::pmr.
struct RunTrace {
  RunTrace() = default;
  RunTrace(const RunTrace&) = delete;
  RunTrace& operator=(const RunTrace&) = delete;

  bool paced = false;
  SimDuration macro_step{};
  double ns_per_tick = 1.0;
  TraceAnchor begin{}, end{};
  KeptPlaces places;
  std::pmr::deque<TraceTrack> tracks;  ///< by worker
  /// Of several hosts in real time, which this one is: its traces lie beside those of others in one file, on the clock
  /// of the leading host.
  struct Host {
    std::string name;          ///< empty: there is one host
    std::size_t number = 0;    ///< the worker that it computes
    WallDuration to_leader{};  ///< is added to its times, at the end of the run
    double drift_ppm = 0.0;    ///< of its clock against the leader's
  };
  Host host{};
  [[nodiscard]] bool shows(std::size_t worker) const noexcept { return host.name.empty() || worker == host.number; }

  /// By the two anchors, so that it does not drift away in a long run.
  [[nodiscard]] WallTime time_of(std::uint64_t ticks) const noexcept {
    const auto since = static_cast<double>(static_cast<std::int64_t>(ticks - begin.ticks));
    const double rate = end.ticks > begin.ticks ? static_cast<double>((end.time - begin.time).ns()) /
                                                      static_cast<double>(end.ticks - begin.ticks)
                                                : ns_per_tick;
    return begin.time + WallDuration{static_cast<std::int64_t>(since * rate)};
  }
};

using RunTracePointer = std::unique_ptr<RunTrace, std::function<void(RunTrace*)>>;

}  // namespace takt
