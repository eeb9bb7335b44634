#pragma once
// A plant as z' = f(t, z) with events, for an integrator of somebody else: what a model-exchange FMU computes.

#include <span>
#include <string>
#include <vector>

#include "runtime/flat/algebra.hpp"
#include "runtime/flat/gate_clock.hpp"

namespace takt::flat {

/// All that what is still to come depends on.
struct FlatState {
  std::vector<double> point;
  GateState gates;
  std::int64_t sample_ns = 0;  ///< next instant of control blocks
  bool inputs_moved = false, solved = false;
};

/// Phases: construct, give() values, start(), then set_time(), set_states() and what asks for values, and event() where
/// an event is due. Everything but event() sees what is held between events as constant.
/// Not movable: what it is made of refers to its point.
class FlatPlant {
 public:
  static constexpr double threshold = 1e-9;  ///< V or A: from there on a mode disagrees with the circuit

  explicit FlatPlant(const Description& plant);
  FlatPlant(const FlatPlant&) = delete;
  FlatPlant& operator=(const FlatPlant&) = delete;
  ~FlatPlant() = default;

  /// A parameter or input. Of a started plant: before an event().
  void give(Place place, double value);
  [[nodiscard]] double given(Place place) const noexcept { return point_[place]; }

  /// Control blocks, gates, modes and circuit agree at time 0.  @throw std::runtime_error
  void start();
  void set_time(double time) noexcept;
  void set_states(const double* states) noexcept;
  [[nodiscard]] double time() const noexcept { return point_[plant_.time]; }

  /// @throw Unsolved  the equations have no solution at these states
  [[nodiscard]] double value(Place place);
  /// A function of the states and inputs moves with these.  @throw Unsolved
  void differentiate(std::vector<double>& moves);
  void differentiate_transposed(std::vector<double>& weights);

  struct Event {
    bool states_moved = false;
    double next_s = 0.0;  ///< the next event that is known ahead; infinity: none
  };
  /// What is due at this time: control blocks, edges, modes that disagree.  @throw std::runtime_error
  Event event();

  [[nodiscard]] FlatState state();
  [[nodiscard]] bool restore(const FlatState& state);

 private:
  void solve();
  void check_limits() const;
  void settle(bool at_start);
  void solve_for(bool at_start);
  [[nodiscard]] bool take_outputs(std::int64_t time_ns, double within);
  void update_block_states(std::int64_t time_ns);
  void remember() noexcept;
  bool take_samples();
  void cross(std::span<const std::size_t> due);
  void lose_energy(std::span<const double> held_before);
  void heat();
  void refuse_impulses(std::span<const double> before) const;
  [[nodiscard]] double next_event();
  [[nodiscard]] double indicator(std::size_t mode) const noexcept { return point_[plant_.modes[mode].indicator]; }

  const Description& plant_;
  std::vector<double> point_;
  Algebra algebra_;
  GateClock gates_;
  std::int64_t sample_ns_ = 0;
  bool solved_ = false, inputs_moved_ = false;
};

}  // namespace takt::flat
