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

TEST_CASE("natural sampling of a duty of time alone: to rounding, and where it bends, too") {
  const long double turn = 2.0L * std::acos(-1.0L);
  const auto smooth = [&](long double t) { return 0.5L + 0.45L * std::sin(turn * 50.0L * t + 0.3L); };
  const auto bent = [&](long double t) { return 0.2L + 0.6L * std::fabs(std::fmod(130.0L * t, 2.0L) - 1.0L); };
  const auto check = [](const auto& exact, double carrier_hz, double most_calls) {
    int calls = 0, edges = 0;
    const auto duty = [&](double t) {
      ++calls;
      return static_cast<double>(exact(t));
    };
    takt::PwmLeg leg;
    leg.start(0.0, {.frequency_hz = carrier_hz, .update = takt::DutyUpdate::continuous}, duty);
    calls = 0;
    for (int n = 0; n < static_cast<int>(0.08 * carrier_hz); ++n) {
      const double until = (n + 1) / (2 * carrier_hz), next = leg.next_change(until, duty, true);
      REQUIRE(next < until);
      long double low = n / (2.0L * carrier_hz), high = (n + 1) / (2.0L * carrier_hz);
      for (int halving = 0; halving < 64; ++halving) {
        const long double middle = 0.5L * (low + high), place = 2.0L * carrier_hz * middle - n;
        ((exact(middle) > (n % 2 == 0 ? place : 1.0L - place)) == (n % 2 == 0) ? low : high) = middle;
      }
      REQUIRE(std::fabs(next - static_cast<double>(low)) < 3e-17);
      leg.apply(next);
      ++edges;
    }
    INFO(calls << " calls in " << edges << " segments");
    CHECK(calls < most_calls * edges);
  };
  check(smooth, 10e3, 2.1);
  check(smooth, 1e3, 5.5);
  check(bent, 10e3, 2.2);
}
