#pragma once
// A received signal compared with a number, as conditions of the rig file have it.

#include <cstdint>

namespace takt::can {

enum class Comparison : std::uint8_t { less, at_most, greater, at_least, equal, not_equal };

/// signal comparison value. No number: it does not hold, whatever is asked.   Real-time: pure
[[nodiscard]] constexpr bool holds(double signal, Comparison comparison, double value) noexcept {
  switch (comparison) {
    case Comparison::less:
      return signal < value;
    case Comparison::at_most:
      return signal <= value;
    case Comparison::greater:
      return signal > value;
    case Comparison::at_least:
      return signal >= value;
    case Comparison::equal:
      return signal == value;
    case Comparison::not_equal:
      return signal == signal && signal != value;  // not yet received: no number
  }
  return false;
}

}  // namespace takt::can
