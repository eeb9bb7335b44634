#pragma once
// Gates of switches and what drives them: PWM legs, gates with time stamps, outputs of control blocks, inputs, time.

#include <vector>

#include "runtime/flat/description.hpp"
#include "runtime/solver/timed_gate.hpp"

namespace takt::flat {

/// All that edges still to come depend on; plain data.
struct GateState {
  std::vector<takt::PwmLeg> legs;
  std::vector<takt::TimedGate> timed;
  std::vector<double> levels;  ///< of Description::gates
};

/// Levels of legs and timed gates stand in the point at once; those of gates in levels(), until the circuit takes them
/// over. Call order: start(), then at events take_inputs() where what is held has changed, apply(), next_edge().
class GateClock {
 public:
  GateClock(const Description& plant, std::vector<double>& point);

  void start(double time);
  void take_inputs(double time);
  /// What happens before this instant, with what was held until now.
  void pass(double time);
  /// All edges up to this instant.
  void apply(double time);
  /// The first edge after `time`, up to `until`; infinity where there is none. Gates that follow time are looked at for
  /// a while only: where that ends before `until` and nothing was seen, its end is returned, and nothing moves there.
  [[nodiscard]] double next_edge(double time, double until);
  [[nodiscard]] const std::vector<double>& levels() const noexcept { return state_.levels; }

  [[nodiscard]] const GateState& state() const noexcept { return state_; }
  void restore(const GateState& state) { state_ = state; }

 private:
  [[nodiscard]] double at(double time, Value value);
  [[nodiscard]] auto duty(std::size_t leg);
  void set_levels(double time);
  [[nodiscard]] bool follower_moves(double time);
  [[nodiscard]] double follower_edge(double time, double until);

  const Description& plant_;
  std::vector<double>& point_;
  GateState state_;
};

}  // namespace takt::flat
