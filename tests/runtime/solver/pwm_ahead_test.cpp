// Legs whose duty is known ahead.
#include <algorithm>
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
  struct Wanted {
    takt::Carrier carrier = takt::Carrier::triangle;
    double carrier_hz = 10e3, phase = 0.0, most_calls = 0.0;
  };
  const auto check = [](const auto& exact, const Wanted& wanted) {
    int calls = 0, edges = 0, most = 0;
    const auto duty = [&](double t) {
      ++calls;
      return static_cast<double>(exact(t));
    };
    takt::PwmLeg leg;
    leg.start(0.0,
              {.frequency_hz = wanted.carrier_hz,
               .phase = wanted.phase,
               .carrier = wanted.carrier,
               .update = takt::DutyUpdate::continuous},
              duty);
    const bool triangle = wanted.carrier == takt::Carrier::triangle;
    const long double m = triangle ? 2.0L : 1.0L, rate = m * wanted.carrier_hz;
    int all = 0, segments = 0;
    for (int n = 1; n < static_cast<int>(0.08L * rate); ++n) {
      const long double begin = (n - m * wanted.phase) / rate, end = (n + 1 - m * wanted.phase) / rate;
      if (begin < 0.0L) continue;
      const bool up = !triangle || n % 2 == 0;
      long double low = begin, high = end;
      for (int halving = 0; halving < 64; ++halving) {
        const long double middle = 0.5L * (low + high), place = rate * middle + m * wanted.phase - n;
        ((exact(middle) > (up ? place : 1.0L - place)) == up ? low : high) = middle;
      }
      calls = 0;
      double found = -1.0;
      for (double next = leg.next_change(static_cast<double>(end), duty, true); next < static_cast<double>(end);
           next = leg.next_change(static_cast<double>(end), duty, true)) {
        if (leg.comparator == up) found = next;
        leg.apply(next);
      }
      most = std::max(most, calls), all += calls, ++segments;
      if (low > begin && high < end) {
        INFO("segment " << n);
        REQUIRE(std::fabs(found - static_cast<double>(low)) < 3e-17);
        ++edges;
      }
    }
    INFO(all << " calls in " << segments << " segments");
    CHECK(edges > 0.95 * segments);
    CHECK(most <= 8);
    CHECK(all < wanted.most_calls * segments);
  };
  check(smooth, {.most_calls = 2.1});
  check(smooth, {.carrier_hz = 1e3, .most_calls = 5.5});
  check(bent, {.most_calls = 2.2});
  for (const double phase : {0.0, 0.3, 0.9})
    check(smooth, {.carrier = takt::Carrier::sawtooth, .carrier_hz = 20e3, .phase = phase, .most_calls = 2.1});
  check(smooth, {.phase = 0.37, .most_calls = 2.1});
}
