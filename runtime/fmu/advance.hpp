#pragma once
// What both kinds of FMUs share when they are advanced by a fixed step: inputs on the way, what is seen at events.

#include <cstdint>

#include "runtime/fmu/instance.hpp"

namespace takt::fmu {

/// Inputs as functions of time. Called in the middle of a step: bounded, no heap.
class Inputs {
 public:
  virtual ~Inputs() = default;
  /// Continuous inputs at t, s; at a jump their value before it.
  virtual Result continuous(Instance& instance, double t) noexcept = 0;
  /// All inputs at t in event mode, or before a step of a co-simulation; at a jump their value after it.
  virtual Result all(Instance& instance, double t) noexcept = 0;
};

/// Is told of each event, so that a run can show both sides of a jump.
class EventWatch {
 public:
  virtual ~EventWatch() = default;
  virtual Result before(Instance& instance, double t) noexcept = 0;
  virtual Result after(Instance& instance, double t) noexcept = 0;
};

/// Counted over a run.
struct AdvanceCounts {
  std::uint64_t steps = 0, evaluations = 0;  ///< evaluations of derivatives
  std::uint64_t time_events = 0, state_events = 0, step_events = 0, input_events = 0;
  std::uint64_t late_events = 0;  ///< of states, served at the end of a step, not where they were
  std::uint64_t early_returns = 0;
  std::uint64_t stiff_steps = 0;  ///< taken by the implicit method instead of an explicit one
};

/// How far an advance came.
struct Advanced {
  Result result;
  double reached = 0.0;    ///< s
  bool terminate = false;  ///< the FMU wants the simulation to end here
};

}  // namespace takt::fmu
