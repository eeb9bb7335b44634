#pragma once
// What the executive measures in one macro-step; inside of executive.cpp and executive_releases.cpp.

#include "runtime/executive/executive.hpp"

namespace takt {

inline constexpr std::uint16_t no_subsystem = 0xffff;
inline constexpr WallDuration back_pressure{200'000};  ///< a free run waits that long for the recorder at a time

struct Executive::SegmentWork {
  Pacer::Wake wake;
  WallTime deadline;
  std::uint64_t woken_ticks = 0, solver_ticks = 0;
  WallDuration blocked;
  double most_excess = -1e300;
  std::uint16_t first_missed = no_subsystem, before_missed = no_subsystem, longest = no_subsystem,
                before_longest = no_subsystem;
  std::uint32_t instant = 0;
};

struct Executive::StepWork {
  std::uint64_t macro_step = 0;
  SimTime start;
  WallTime release;  ///< of the macro-step
  std::uint64_t woken_ticks = 0, blocked_ticks = 0, waited_ticks = 0;
  std::uint32_t opened = 0;  ///< instants that have come
  std::uint16_t before = no_subsystem;
  SegmentWork segment;
};

}  // namespace takt
