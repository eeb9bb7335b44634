#pragma once
// Integrates an FMU of kind model exchange with a fixed step, and serves its events.
//
// Linearly implicit methods (ros1, ros2: runtime/solver/rosenbrock.hpp has the formulae) take the FMU's Jacobian once a
// step, and factor I - gamma*h*J once for each length that is tried.
//
// A step of rk4 that is not stable is seen in its stages: two of them are at one time, and what lies between them moves
// at k = |f3 - f2|/|x3 - x2| (as E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, sec. IV.2, detect
// stiffness). Where h*k is beyond the method's reach, the largest eigenvalue at the step's start is estimated from that
// direction by eight products with the Jacobian: neither units of the states nor jumps of f make a step unstable. One
// that is is refused, or, where the method may be chosen, taken by ros2.
//
// A step ends early at the FMU's next time event (hit exactly), and at a state event: where an indicator z changes
// between z > 0 and z <= 0 (FMI 2.0.4, 3.1; FMI 3.0.2, 3.1.1). The place is found by steps of other lengths from the
// step's start, secant and bisection in turn, at most 60; the event is served at the far end of the bracket, where the
// sign has changed. Of several changes in one step the first is served, then the rest of the step is computed anew. Two
// changes of one indicator within one step are not seen: the step must be shorter.

#include <vector>

#include "runtime/fmu/advance.hpp"
#include "runtime/fmu/growth.hpp"
#include "runtime/fmu/jacobian.hpp"
#include "runtime/fmu/linear_step.hpp"
#include "runtime/fmu/tableau.hpp"

namespace takt::fmu {

class ModelExchange {
 public:
  /// Lifetimes of the references exceed that of this. May allocate.
  ModelExchange(Instance& instance, const Tableau& method, Inputs& inputs);
  void watch(EventWatch* watch) noexcept { watch_ = watch; }

  /// In event mode, after initialisation: settles, then continuous time. Reads states and indicators.
  Advanced start(double t) noexcept;
  /// Same, where the instance came to continuous time otherwise: its state was set.
  Advanced resume(double t, const EventInfo& next) noexcept;
  /// One step from t to end, s, with its events. In continuous time before and after.
  /// Real-time: at most most_located state events, each at most 60 trial steps, and most_events events in all.
  Advanced advance(double t, double end) noexcept;
  /// The inputs jump at t: event mode, inputs, settle.
  Advanced input_event(double t) noexcept;

  /// From the next step on.
  void set_method(const Tableau& method) noexcept { method_ = &method; }
  /// Steps for which the method is not stable are taken by the implicit one: not refused.
  void set_choosing(bool chooses) noexcept { chooses_ = chooses; }
  /// Of the step that was refused as not stable, 1/s; else 0.
  [[nodiscard]] double unstable_rate() const noexcept { return unstable_rate_; }
  [[nodiscard]] const Tableau& method() const noexcept { return *method_; }
  /// d(derivatives)/d(states) where the FMU stands, by differences: an explicit method needs no directional
  /// derivatives, and those of some FMUs crash.  @pre continuous time
  Result linearise() noexcept;
  /// The same, times a vector: of FMUs with many states.
  Result times_jacobian(std::span<const double> vector, std::span<double> product) noexcept;
  [[nodiscard]] std::span<const double> jacobian() const noexcept { return jacobian_.entries(); }

  [[nodiscard]] std::span<const double> nominals() const noexcept { return jacobian_.nominals(); }
  [[nodiscard]] std::span<const double> states() const noexcept { return x_; }
  [[nodiscard]] const EventInfo& next_event() const noexcept { return next_; }
  [[nodiscard]] const AdvanceCounts& counts() const noexcept { return counts_; }

  static constexpr int most_events = 1000;  ///< of time in one step
  static constexpr int most_located = 16;   ///< of states in one step
  static constexpr int most_dense = 100;    ///< steps in a row with more of them: they come without end

 private:
  struct Event {
    bool time = false, state = false, step = false, input = false;
    [[nodiscard]] bool any() const noexcept { return time || state || step || input; }
  };
  Result integrate(double t, double h) noexcept;  ///< from x0_ into x_, the FMU left there
  Result explicit_step(double t, double h) noexcept;
  Result implicit_step(double t, double h) noexcept;
  /// After the third stage of rk4.
  Result look_for_stiffness(double t, double h, bool& is_stiff) noexcept;
  Result rates(double t, std::span<const double> x, std::span<double> to) noexcept;
  [[nodiscard]] Result count_dense(std::uint64_t late_before) noexcept;
  Result place(double t, std::span<const double> x) noexcept;
  Result locate(double t, double& h) noexcept;  ///< h: of the whole step; then of the one that ends at the event
  [[nodiscard]] bool crossed(std::span<const double> z) const noexcept;
  [[nodiscard]] double guess(double low, double high) const noexcept;
  Result serve(double t, const Event& event, bool& terminate) noexcept;

  Instance& instance_;
  const Tableau* method_;
  Inputs& inputs_;
  EventWatch* watch_ = nullptr;
  std::vector<double> x0_, x_, trial_, z0_, z_, z_low_;
  std::vector<double> k_;  // [most_stages x states]
  Jacobian jacobian_;
  LinearStep linear_;
  Growth growth_;
  std::vector<double> direction_;
  bool is_linearised_ = false;  // where the step begins
  bool is_stiff_ = false;       // there
  bool chooses_ = false;
  double unstable_rate_ = 0.0;
  int dense_steps_ = 0;  // in a row
  EventInfo next_;
  AdvanceCounts counts_;
};

}  // namespace takt::fmu
