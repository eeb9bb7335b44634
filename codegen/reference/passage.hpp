#pragma once
// From instant to instant through switching: the integrator's steps, cut where a gate or a mode
// moves, and begun anew there.

#include "codegen/reference/integrator.hpp"
#include "codegen/reference/state_events.hpp"
#include "codegen/reference/switching.hpp"

namespace takt::codegen {

/// Edges of gates are known and stepped to. Modes are looked at after every step; where one has
/// turned, the instant at which its condition was zero is found on the integrator's own solution.
/// Limit: a mode that turns and turns back within one step is not seen; a smaller tolerance makes
/// the steps smaller.
class Passage {
 public:
  /// What switches: gates and modes, and events of elements.
  struct Turns {
    Switching& switching;
    StateEvents& events;
  };
  Passage(NumericSystem& system, Turns turns, Integrator& integrator, EventSink sink)
      : system_(system),
        switching_(turns.switching),
        events_(turns.events),
        integrator_(integrator),
        sink_(std::move(sink)),
        switched_(switching_.has_modes() || switching_.has_gates() || !events_.empty()) {}

  /// Outputs of control blocks or inputs have changed: gates and the plant follow.
  void take_inputs(Values& y);
  /// To `time`; what is held stays so until `stop`. y is consistent and observed there. What falls
  /// on `time` itself is left to the next call.
  /// @throw std::runtime_error
  void advance(double time, double stop, Values& y);

 private:
  void integrate(double end, Values& y);
  void look(double time, Values& y);
  [[nodiscard]] Values conditions() const;
  [[nodiscard]] std::vector<std::size_t> turned() const;
  double locate(double before, double after, std::vector<std::size_t>& due, Values& y);
  void cross(Values& y, const std::vector<std::size_t>& due);

  NumericSystem& system_;
  Switching& switching_;
  StateEvents& events_;
  Integrator& integrator_;
  EventSink sink_;
  bool switched_, fresh_ = false;  // fresh: the integrator stands at now_, or beyond
  double now_ = 0.0, reached_ = 0.0;
  Values conditions_, last_conditions_;  // of modes: where it looked last, and at now_
  double crossed_ = -1.0;                // the instant of the last crossing
  std::size_t crossings_ = 0;            // at it
};

}  // namespace takt::codegen
