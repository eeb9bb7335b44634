#pragma once
// Events of elements in a flattened plant: when they occur and what they set.

#include "codegen/reference/switching.hpp"

namespace takt::codegen {

/// An event occurs where its indicator comes above zero, once, and anew after it has been below.
/// All that occur at one instant read the values just before; of two that set the same the first in
/// order decides.
class StateEvents {
 public:
  StateEvents(const Network& network, const FlatSystem& flat, NumericSystem& system)
      : network_(network), flat_(flat), system_(system), armed_(network.events.size(), true) {}

  [[nodiscard]] bool empty() const { return network_.events.empty(); }
  /// At the start: what is true already does not occur, but modes follow their indicators.  @pre
  /// observed
  void start();
  /// Adds the indicators of those that may occur; of others, what never does.  @pre observed
  void add_conditions(Values& conditions) const;
  /// Those that are below zero may occur again.  @pre observed
  void arm();
  /// These occur, then what comes true by that; y is consistent and observed afterwards.  @throw
  /// std::runtime_error
  void occur(double time, Values& y, std::vector<std::size_t> due, const EventSink& sink);

 private:
  [[nodiscard]] double indicator(std::size_t event) const {
    return system_.observed(flat_.events[event].indicator);
  }
  void set(double time, Values& y, const std::vector<std::size_t>& due, const EventSink& sink);

  const Network& network_;
  const FlatSystem& flat_;
  NumericSystem& system_;
  std::vector<bool> armed_;
};

}  // namespace takt::codegen
