#include "runtime/start/steady_text.hpp"

#include <algorithm>
#include <cstddef>

#include "runtime/start/limits.hpp"
#include "runtime/stats/format.hpp"

namespace takt::start {

std::string no_steady_state(int steps, std::vector<MovingState> states) {
  constexpr std::size_t named = 5;
  std::ranges::stable_sort(states, std::ranges::greater{}, &MovingState::share);
  std::string text =
      "no steady state to start from: after " + std::to_string(steps) + " steps these states still move:";
  for (std::size_t k = 0; k < std::min(named, states.size()) && states[k].share > rounding; ++k) {
    const std::string unit = " " + states[k].state->unit;
    text += "\n  " + states[k].state->path + ": " + short_number(states[k].rate) + unit + "/s at " +
            short_number(states[k].value) + unit;
  }
  return text + "\nlist what shall keep its start value under `fixed` of [plant], or start as given: --start given";
}

}  // namespace takt::start
