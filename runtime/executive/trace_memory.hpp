#pragma once
// The memory of a run's trace, made before real time begins.

#include <cstdint>

#include "runtime/executive/clock.hpp"
#include "runtime/executive/work_plan.hpp"
#include "runtime/plant/schedule.hpp"
#include "runtime/stats/run_trace.hpp"

namespace takt {

struct TraceSettings {
  SimDuration last{};  ///< of the run, at least, is kept where memory suffices; 0: no trace
  bool paced = false;  ///< surroundings of overruns are kept, too
  SimDuration macro_step{};
  std::uint64_t macro_steps = 0;  ///< of the run; 0: not known
  double ns_per_tick = 1.0;
};

/// Events of all workers together: 32 MiB here, about 50 MiB as a file, which viewers still open.
inline constexpr std::size_t most_trace_events = std::size_t{1} << 20U;

/// In memory of std::pmr::get_default_resource().  @return nothing where no trace is wanted
[[nodiscard]] RunTracePointer make_run_trace(const WorkPlan& work, const Schedule& schedule,
                                             const TraceSettings& settings);

/// Real-time: bounded, reads the clock a few times.
[[nodiscard]] TraceAnchor read_anchor(Clock& clock) noexcept;

}  // namespace takt
