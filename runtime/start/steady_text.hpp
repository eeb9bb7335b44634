#pragma once
// What is said where no steady state is found.

#include <string>
#include <vector>

#include "runtime/start/plant_rates.hpp"

namespace takt::start {

struct MovingState {
  const PlantState* state;
  double value, rate;
  double share;  ///< of the flows through it, that is its rate
};

/// Names those that move most, and what can be done.
/// @param steps  that were taken
[[nodiscard]] std::string no_steady_state(int steps, std::vector<MovingState> states);

}  // namespace takt::start
