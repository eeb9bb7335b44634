#pragma once
// Angles of sin, cos and tan: 2*pi*f*time has a frequency (turns), w*time an angular velocity
// (radians). One for the other is wrong by 2*pi, which dimensions do not show.

#include <cstdint>
#include <optional>

#include "runtime/units/kinds.hpp"

namespace takt::codegen {

/// What is multiplied in a product, as powers; of a sum whether one of its terms is wrong as an
/// angle.
struct Turning {
  std::int8_t pi = 0, radians = 0, hertz = 0, numbers = 0;
  bool wrong_term = false;

  /// pi belongs to turns, so that pi and an angular velocity count 2*pi twice; without any factor
  /// turns are no angle.
  [[nodiscard]] bool is_wrong() const {
    const bool twice = pi > 0 && radians == 1 && hertz == 0;
    const bool turns = pi == 0 && hertz == 1 && radians == 0 && numbers == 0;
    return wrong_term || twice || turns;
  }
  [[nodiscard]] Turning times(const Turning& other, int sign) const {
    const auto sum = [&](std::int8_t a, std::int8_t b) {
      return static_cast<std::int8_t>(a + sign * b);
    };
    // A number below the line is one, too.
    const auto count = static_cast<std::int8_t>(numbers + other.numbers);
    return {sum(pi, other.pi), sum(radians, other.radians), sum(hertz, other.hertz), count, false};
  }
  [[nodiscard]] KindConflict conflict() const {
    return {"this angle takes turns for radians, or the other way round",
            "an angle is 2*pi*f*time with a frequency f (\"50 Hz\"), or w*time with an angular "
            "velocity w (\"3000 rpm\")"};
  }
};

}  // namespace takt::codegen
