#pragma once
// What a worker measures in one macro-step.

#include <cstdint>
#include <optional>

#include "runtime/executive/pacer.hpp"
#include "runtime/plant/rig_settings.hpp"
#include "runtime/plant/time.hpp"

namespace takt {

inline constexpr std::uint16_t no_subsystem = 0xffff, no_worker = 0xffff;
inline constexpr WallDuration back_pressure{200'000};  ///< a free run waits that long for the recorder at a time

/// From one release that the worker has waited for to the next.
struct SegmentWork {
  Pacer::Wake wake{};
  WallTime deadline{}, finish{};
  std::uint64_t woken_ticks = 0, solver_ticks = 0;
  WallDuration blocked{}, longest_wait{};  ///< for other workers
  std::uint16_t waited_for = no_worker;    ///< longest
  double most_excess = -1e300;
  std::uint16_t first_missed = no_subsystem, before_missed = no_subsystem, longest = no_subsystem,
                before_longest = no_subsystem;
  std::uint32_t instant = 0;
  std::optional<OverrunPolicy> policy{};  ///< the strictest of groups whose windows missed the deadline
};

struct StepWork {
  std::uint64_t macro_step = 0;  ///< computed since the start
  std::uint64_t number = 0;      ///< on the grid of simulated time, which may have jumped
  SimTime start{};
  WallTime release{};  ///< of the macro-step
  std::uint64_t woken_ticks = 0, blocked_ticks = 0, waited_ticks = 0;
  std::uint64_t digest = 0;  ///< sum of what has been computed
  std::uint32_t opened = 0;  ///< instants that have come
  std::uint16_t before = no_subsystem;
  WallDuration stretch{};  ///< for tests: so much longer takes the first window
  SegmentWork segment{};
};

}  // namespace takt
