#pragma once
// Gates of switches and what drives them, all known ahead of the circuit: PWM legs, gates with time
// stamps, control outputs, inputs, time.

#include <functional>
#include <unordered_map>

#include "codegen/model/network.hpp"
#include "codegen/reference/turning_points.hpp"
#include "runtime/solver/pwm_leg.hpp"
#include "runtime/solver/timed_gate.hpp"

namespace takt::codegen {

/// Edges of legs and timed gates are computed; those of gates that follow time themselves are found
/// where their signals may turn, and by looking and halving, down to neighbouring numbers. Call
/// order: start(); then, for each piece of time in which outputs of control blocks and inputs are
/// held, next_edge() and apply() until no edge is left in it; take_inputs() where one of these has
/// changed.
class GateSignals {
 public:
  using ValueOf = std::function<double(SymbolId)>;
  /// @param value_of  parameters, outputs of control blocks, inputs
  /// @param look_s    between looks, for what intervals do not find
  GateSignals(const Network& network, ValueOf value_of, double look_s);

  void start(double time);
  void take_inputs(double time);
  /// The first edge that is not applied, up to `until`; infinity where there is none. May lie
  /// before `time` by rounding.
  [[nodiscard]] double next_edge(double time, double until);
  /// All edges up to this instant.
  void apply(double time);
  /// Of legs, timed gates and gates: 0 or 1.
  [[nodiscard]] const std::unordered_map<SymbolId, double>& levels() const { return levels_; }

 private:
  [[nodiscard]] double evaluate(Expr expression, double time) const;
  [[nodiscard]] auto duty(std::size_t leg) const;
  void set_levels(double time);
  [[nodiscard]] bool follower_moves(double time) const;
  [[nodiscard]] double follower_edge(double time, double until) const;

  const Network& network_;
  ValueOf value_of_;
  double look_s_;
  std::vector<takt::PwmLeg> legs_;      // parallel to Network::legs
  std::vector<takt::TimedGate> timed_;  // parallel to Network::timed_gates
  std::vector<std::size_t> followers_;  // gates whose signal names time
  std::unordered_map<SymbolId, double> levels_;
  TurningPoints turns_;               // of the signals of gates
  std::vector<TurningPoints> bends_;  // of the duties of legs
  double quiet_until_ = 0.0;          // no follower moves before
};

}  // namespace takt::codegen
