#pragma once
// Steps an FMU of kind co-simulation from one communication point to the next, with its events and early returns.

#include "runtime/fmu/advance.hpp"

namespace takt::fmu {

class CoSimulation {
 public:
  CoSimulation(Instance& instance, Inputs& inputs) : instance_(instance), inputs_(inputs) {}
  void watch(EventWatch* watch) noexcept { watch_ = watch; }

  /// After initialisation; with event mode: settles, then steps.
  Advanced start(double t) noexcept;
  /// Sets all inputs at t, then steps to end, s. At an event it ends there, handles it, and goes on.
  Advanced advance(double t, double end) noexcept;
  /// Inputs jump at t: with event mode set in it, else nothing (advance() sets them).
  Advanced input_event(double t) noexcept;

  [[nodiscard]] const AdvanceCounts& counts() const noexcept { return counts_; }
  static constexpr int most_parts = 1000;  ///< of one step

 private:
  Result serve(double t, bool input, bool& terminate) noexcept;
  Instance& instance_;
  Inputs& inputs_;
  EventWatch* watch_ = nullptr;
  AdvanceCounts counts_;
};

}  // namespace takt::fmu
