// Legs whose duty is known ahead.
#include <catch2/catch.hpp>
#include <cmath>

#include "runtime/solver/pwm_leg.hpp"

TEST_CASE("a duty that was computed ahead gives the same edges") {
  const auto duty = [](double t) { return 0.5 + 0.4 * std::sin(2.0 * 3.14159265358979 * 50.0 * t + 1.0); };
  takt::PwmLeg plain, ahead;
  const takt::PwmSettings settings{.frequency_hz = 10e3, .dead_time_s = 2e-6, .update = takt::DutyUpdate::continuous};
  plain.start(0.0, settings, duty), ahead.start(0.0, settings, duty);
  int edges = 0;
  for (int window = 0; window < 40; ++window) {
    const double begin = 1e-3 * window, end = 1e-3 * (window + 1);
    plain.replan(begin, duty), ahead.replan(begin, duty);
    for (;;) {
      const double one = plain.next_change(end, duty), other = ahead.next_change(end, duty, true);
      REQUIRE(one == Approx(other).epsilon(1e-14));
      if (!(one < end) || !(other < end)) break;
      plain.apply(one), ahead.apply(other);
      REQUIRE(plain.high == ahead.high);
      REQUIRE(plain.low == ahead.low);
      ++edges;
    }
  }
  CHECK(edges > 1500);  // two flips a period of 100 us, each with the end of its dead time
}
