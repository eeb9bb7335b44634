#include "runtime/solver/pwm_leg.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace {

using takt::Carrier;
using takt::DutyUpdate;
using takt::PwmLeg;
using takt::PwmSettings;

constexpr double pi = 3.14159265358979323846;

struct Change {
  double time;
  bool high, low;
};

/// Runs the leg as a solver does, in steps of h, and returns every change of its levels.
template <class Duty>
std::vector<Change> changes(PwmLeg& leg, double from, double h, int steps, Duty&& duty) {
  std::vector<Change> seen;
  double next = leg.next_change(from, duty);
  for (int step = 0; step < steps; ++step) {
    const double until = from + (step + 1) * h;
    for (int guard = 0; next <= until; next = leg.next_change(until, duty)) {
      REQUIRE(++guard < 1000);
      const bool high = leg.high, low = leg.low;
      leg.apply(next);
      if (leg.high != high || leg.low != low) seen.push_back({next, leg.high, leg.low});
    }
  }
  return seen;
}

/// Integral of `high` from `from` to `to` of a leg that started with `level`.
double integral_of_high(const std::vector<Change>& seen, bool level, double from, double to) {
  double sum = 0.0, since = from;
  for (const Change& change : seen) {
    sum += level ? change.time - since : 0.0;
    level = change.high;
    since = change.time;
  }
  return sum + (level ? to - since : 0.0);
}

PwmSettings settings(double frequency_hz, double dead_time_s = 0.0, DutyUpdate update = DutyUpdate::both,
                     Carrier carrier = Carrier::triangle, double phase = 0.0) {
  return {frequency_hz, phase, dead_time_s, carrier, update};
}

void require_times(const std::vector<Change>& seen, const std::vector<double>& expected) {
  REQUIRE(seen.size() == expected.size());
  for (std::size_t k = 0; k < seen.size(); ++k) REQUIRE(std::abs(seen[k].time - expected[k]) < 1e-15);
}

}  // namespace

TEST_CASE("triangle carrier switches symmetrically about the valley") {
  PwmLeg leg;
  const auto duty = [](double) { return 0.3; };
  leg.start(0.0, settings(10e3), duty);
  REQUIRE(leg.high);
  REQUIRE_FALSE(leg.low);
  // High within 0.3 half periods (50 us) of each valley (0, 100 us, 200 us).
  const auto seen = changes(leg, 0.0, 1e-6, 200, duty);
  require_times(seen, {15e-6, 85e-6, 115e-6, 185e-6});
  REQUIRE(seen[0].low);
  REQUIRE(seen[1].high);
  REQUIRE_FALSE(seen[1].low);
}

TEST_CASE("sawtooth carrier switches on at the vertex and off at the duty") {
  PwmLeg leg;
  const auto duty = [](double) { return 0.25; };
  leg.start(0.0, settings(10e3, 0.0, DutyUpdate::both, Carrier::sawtooth), duty);
  REQUIRE(leg.high);
  require_times(changes(leg, 0.0, 1e-6, 250, duty), {25e-6, 100e-6, 125e-6, 200e-6, 225e-6});
}

TEST_CASE("a phase of a quarter period starts the carrier half way up") {
  PwmLeg leg;
  const auto duty = [](double) { return 0.7; };
  leg.start(0.0, settings(10e3, 0.0, DutyUpdate::both, Carrier::triangle, 0.25), duty);
  REQUIRE(leg.high);  // carrier 0.5
  // Valleys at 75 us and 175 us, high within 35 us of each.
  require_times(changes(leg, 0.0, 1e-6, 150, duty), {10e-6, 40e-6, 110e-6, 140e-6});
}

TEST_CASE("the start may lie anywhere in a period") {
  const auto duty = [](double) { return 0.3; };
  for (const double from : {7e-6, 30e-6, 60e-6, 90e-6, 100e-6}) {
    PwmLeg leg;
    leg.start(from, settings(10e3), duty);
    const double place = std::fmod(from, 100e-6);
    REQUIRE(leg.high == (place < 15e-6 || place > 85e-6));
    REQUIRE(leg.low != leg.high);
    std::vector<double> expected;
    for (const double edge : {15e-6, 85e-6, 115e-6, 185e-6}) {
      if (edge > from) expected.push_back(edge);
    }
    require_times(changes(leg, from, (200e-6 - from) / 64, 64, duty), expected);
  }
}

TEST_CASE("duty zero and one have no edges, whatever lies outside is clamped") {
  for (const double value : {0.0, 1.0, -0.5, 1.5, std::nan("")}) {
    for (const auto update : {DutyUpdate::both, DutyUpdate::continuous}) {
      for (const auto carrier : {Carrier::triangle, Carrier::sawtooth}) {
        PwmLeg leg;
        const auto duty = [&](double) { return value; };
        leg.start(0.0, settings(10e3, 1e-6, update, carrier), duty);
        REQUIRE(leg.high == (value >= 1.0));
        REQUIRE(changes(leg, 0.0, 1e-6, 1000, duty).empty());
        REQUIRE(leg.high == (value >= 1.0));
        REQUIRE(leg.low == !leg.high);
      }
    }
  }
}

TEST_CASE("the duty is taken over where the update says") {
  // A ramp: its value tells the instant it was read at.
  const auto duty = [](double t) { return 0.1 + t * 1e4 * 0.25; };
  const auto edges = [&](DutyUpdate update) {
    PwmLeg leg;
    leg.start(0.0, settings(10e3, 0.0, update), duty);
    return changes(leg, 0.0, 1e-6, 200, duty);
  };
  const double half = 50e-6;
  const auto at = [&](double t) { return duty(t) * half; };
  require_times(edges(DutyUpdate::valley), {at(0.0), 2 * half - at(0.0), 2 * half + at(100e-6), 4 * half - at(100e-6)});
  require_times(edges(DutyUpdate::peak), {at(0.0), 2 * half - at(50e-6), 2 * half + at(50e-6), 4 * half - at(150e-6)});
  require_times(edges(DutyUpdate::both), {at(0.0), 2 * half - at(50e-6), 2 * half + at(100e-6), 4 * half - at(150e-6)});
  // Natural sampling: d0 + s*t = t/half and its mirror images.
  const double slope = 0.25e4, start = 0.1, rate = 1.0 / half;
  require_times(edges(DutyUpdate::continuous), {start / (rate - slope), (2 - start) / (rate + slope),
                                                (2 + start) / (rate - slope), (4 - start) / (rate + slope)});
}

TEST_CASE("a vertex at the end of a step takes the duty of the next one") {
  PwmLeg leg;
  leg.start(0.0, settings(20e3), [](double) { return 0.2; });
  double value = 0.2;
  const auto duty = [&](double) { return value; };
  for (int window = 0; window < 4000; ++window) {  // windows of half a period: the controller and the carrier agree
    const double from = window * 25e-6, until = (window + 1) * 25e-6;
    value = 0.2 + 0.0001 * window;  // the controller's output at the window's start
    const double next = leg.next_change(until, duty);
    const double position = window % 2 == 0 ? value : 1.0 - value;
    REQUIRE(std::abs(next - (from + position * 25e-6)) < 1e-15 + 4e-16 * until);
    leg.apply(next);
    REQUIRE(leg.high == (window % 2 != 0));
    REQUIRE(leg.next_change(until, duty) > until);
  }
}

TEST_CASE("natural sampling finds the crossing to a picosecond with at most eight calls of the duty") {
  for (const double carrier_hz : {1e3, 5e3, 20e3}) {
    int calls = 0, most = 0;
    const auto duty = [&](double t) {
      ++calls;
      return 0.5 + 0.45 * std::sin(2 * pi * 50 * t + 0.3);
    };
    PwmLeg leg;
    leg.start(0.0, settings(carrier_hz, 0.0, DutyUpdate::continuous), duty);
    REQUIRE(calls <= 8);
    int edges = 0;
    for (double until = 0.5 / carrier_hz; until < 0.04; until += 0.5 / carrier_hz) {
      calls = 0;
      const double next = leg.next_change(until, duty);
      most = std::max(most, calls);
      REQUIRE(next <= until);
      const double position = std::fmod(2 * carrier_hz * next, 2.0);
      const double carrier = position < 1.0 ? position : 2.0 - position;
      REQUIRE(std::abs(duty(next) - carrier) / (2 * carrier_hz) < 1e-12);  // [s]: the carrier's slope is 2f
      leg.apply(next);
      ++edges;
    }
    REQUIRE(edges > 0.07 * carrier_hz);
    REQUIRE(most <= 9);  // a segment's worth, and the duty at its start
  }
}

TEST_CASE("steep and overmodulated duties are followed naturally") {
  const auto duty = [](double t) { return 0.5 + 0.7 * std::sin(2 * pi * 50 * t); };
  PwmLeg leg;
  leg.start(0.0, settings(2e3, 0.0, DutyUpdate::continuous), duty);
  const auto seen = changes(leg, 0.0, 1e-6, 20000, duty);
  std::size_t edge = 0;
  bool level = true;
  for (int sample = 0; sample < 20000; ++sample) {
    const double t = (sample + 0.5) * 1e-6;
    for (; edge < seen.size() && seen[edge].time <= t; ++edge) level = seen[edge].high;
    const double position = std::fmod(4e3 * t, 2.0);
    const double margin = duty(t) - (position < 1.0 ? position : 2.0 - position);
    if (std::abs(margin) > 1e-6) REQUIRE(level == (margin > 0.0));
  }
  REQUIRE(edge == seen.size());
}

TEST_CASE("new inputs replan natural sampling and leave regular sampling alone") {
  double value = 0.3;
  const auto duty = [&](double) { return value; };
  for (const auto update : {DutyUpdate::continuous, DutyUpdate::both}) {
    const bool natural = update == DutyUpdate::continuous;
    PwmLeg leg;
    value = 0.3;
    leg.start(0.0, settings(10e3, 0.0, update), duty);
    REQUIRE(leg.next_change(10e-6, duty) == Approx(15e-6).epsilon(1e-12));
    value = 0.6;
    leg.replan(10e-6, duty);
    REQUIRE(leg.next_change(20e-6, duty) == Approx(natural ? 30e-6 : 15e-6).epsilon(1e-12));
    value = 0.1;  // already passed
    leg.replan(12e-6, duty);
    REQUIRE(leg.next_change(20e-6, duty) == Approx(natural ? 12e-6 : 15e-6).epsilon(1e-12));
    leg.apply(15e-6);
    REQUIRE_FALSE(leg.high);
    value = 0.5;  // and back
    leg.replan(20e-6, duty);
    REQUIRE(leg.next_change(60e-6, duty) == Approx(natural ? 20e-6 : 75e-6).epsilon(1e-12));
  }
}

TEST_CASE("replanning with the same duty, edges included, changes nothing") {
  const auto duty = [](double t) { return 0.5 + 0.4 * std::sin(2 * pi * 50 * t); };
  PwmLeg once, often;
  once.start(0.0, settings(5e3, 0.0, DutyUpdate::continuous), duty);
  often = once;
  const auto expected = changes(once, 0.0, 3e-6, 7000, duty);
  std::vector<double> seen;
  double t = 0.0;
  for (int step = 1; step <= 7000; ++step) {
    const double until = step * 3e-6;
    for (double next; (next = often.next_change(until, duty)) <= until;) {
      often.apply(next);
      often.replan(next, duty);
      seen.push_back(next);
    }
    t = until;
    often.replan(t, duty);
  }
  REQUIRE(seen.size() == expected.size());
  for (std::size_t k = 0; k < seen.size(); ++k) REQUIRE(std::abs(seen[k] - expected[k].time) < 1e-13);
}

TEST_CASE("the average of high over a sine period is the average of the duty") {
  for (const double bias : {0.5, 0.42}) {
    const auto duty = [&](double t) { return bias + 0.4 * std::sin(2 * pi * 50 * t); };
    for (const auto carrier : {Carrier::triangle, Carrier::sawtooth}) {
      for (const auto update : {DutyUpdate::continuous, DutyUpdate::both}) {
        PwmLeg leg;
        leg.start(0.0, settings(20e3, 0.0, update, carrier), duty);
        const bool level = leg.high;
        const auto seen = changes(leg, 0.0, 1e-6, 20000, duty);
        const double mean = integral_of_high(seen, level, 0.0, 0.02) / 0.02;
        // Both are sums over one whole sine with 400 carrier periods. Natural sampling: harmonics of the carrier alias
        // to zero through Bessel functions J400. Regular: the sum of equidistant samples of a sine is zero.
        REQUIRE(std::abs(mean - bias) < 1e-9);
      }
    }
  }
}

TEST_CASE("dead time delays every turn-on and no turn-off") {
  PwmLeg leg;
  const auto duty = [](double) { return 0.3; };
  leg.start(0.0, settings(10e3, 2e-6), duty);
  const auto seen = changes(leg, 0.0, 1e-6, 200, duty);
  require_times(seen, {15e-6, 17e-6, 85e-6, 87e-6, 115e-6, 117e-6, 185e-6, 187e-6});
  for (std::size_t k = 0; k < seen.size(); ++k) {
    REQUIRE(seen[k].high == (k % 4 == 3));
    REQUIRE(seen[k].low == (k % 4 == 1));
  }
  // With current out of the leg the low diode conducts meanwhile: the output is high as long as `high`. With current
  // into it, as long as not `low`. Both miss the duty by dead time times frequency.
  double high = 0.0, not_low = 0.0, since = 15e-6;
  for (std::size_t k = 1; k <= 4; ++k) {  // one period
    high += seen[k - 1].high ? seen[k].time - since : 0.0;
    not_low += seen[k - 1].low ? 0.0 : seen[k].time - since;
    since = seen[k].time;
  }
  REQUIRE(std::abs(high / 100e-6 - (0.3 - 2e-6 * 10e3)) < 1e-12);
  REQUIRE(std::abs(not_low / 100e-6 - (0.3 + 2e-6 * 10e3)) < 1e-12);
}

TEST_CASE("a pulse shorter than the dead time is swallowed") {
  const auto duty = [](double) { return 0.02; };  // high pulses of 2 us, low ones of 98 us
  PwmLeg leg;
  leg.start(50e-6, settings(10e3, 3e-6), duty);
  const auto seen = changes(leg, 50e-6, 1e-6, 200, duty);
  // Low goes off at the comparator's rise (99 us) and on 3 us after its fall (101 us); high never goes on.
  require_times(seen, {99e-6, 104e-6, 199e-6, 204e-6});
  for (const Change& change : seen) REQUIRE_FALSE(change.high);
}

TEST_CASE("a dead time longer than every pulse keeps both switches off") {
  const auto duty = [](double) { return 0.5; };
  PwmLeg leg;
  leg.start(0.0, settings(10e3, 1e-3), duty);
  const auto seen = changes(leg, 0.0, 7e-6, 1000, duty);
  REQUIRE(seen.size() == 1);
  REQUIRE_FALSE(leg.high);
  REQUIRE_FALSE(leg.low);
}

TEST_CASE("a million periods do not drift") {
  const auto duty = [](double) { return 0.3; };
  PwmLeg leg;
  const double frequency = 17e3, phase = 0.37, from = 1e3;
  leg.start(from, settings(frequency, 0.0, DutyUpdate::both, Carrier::triangle, phase), duty);
  const auto first_valley = static_cast<std::int64_t>(std::ceil(from * frequency + phase - 0.15));
  double until = from, worst = 0.0;
  std::int64_t falls = 0;
  while (falls < 1'000'000) {
    const bool high = leg.high;
    until = leg.next_change(until, duty);
    leg.apply(until);
    if (leg.high || !high) continue;
    const long double valley = first_valley + falls++;
    const long double exact = (valley - static_cast<long double>(phase) + 0.15L) / static_cast<long double>(frequency);
    worst = std::max(worst, std::abs(static_cast<double>(until - exact)));
  }
  // Half a spacing for each of two sums of some 3.6e7 half periods (7.5e-9 of 29 us), and for the quotient of some 1060
  // s.
  REQUIRE(worst < 3.4e-13);
}

TEST_CASE("far more periods than one call may look ahead are walked in bounded calls") {
  int calls = 0;
  const auto duty = [&](double t) {
    ++calls;
    return t < 0.9 ? 0.0 : 0.5;
  };
  PwmLeg leg;
  leg.start(0.0, settings(10e3), duty);
  double next = 0.0;
  int asked = 0;
  while (leg.low) {
    calls = 0;
    const double before = next;
    next = leg.next_change(1.0, duty);
    REQUIRE(calls <= PwmLeg::longest_look_ahead);
    REQUIRE(next > before);
    leg.apply(next);
    REQUIRE(++asked < 400);
  }
  REQUIRE(std::abs(next - 0.9) < 1e-12);  // a valley: the duty read there turns `high` on
}

TEST_CASE("a leg without a usable frequency stays off") {
  for (const double frequency : {0.0, -5.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    const auto duty = [](double) { return 0.5; };
    PwmLeg leg;
    leg.start(0.0, settings(frequency), duty);
    REQUIRE(leg.next_change(1.0, duty) > 1.0);
    leg.replan(0.5, duty);
    leg.apply(1.0);
    REQUIRE_FALSE(leg.high);
    REQUIRE_FALSE(leg.low);
  }
}

TEST_CASE("random duties never turn both switches on and always keep the dead time") {
  std::mt19937 random(20240607);
  std::uniform_real_distribution<double> number(0.0, 1.0);
  for (int trial = 0; trial < 300; ++trial) {
    const double frequency = 1e3 * std::pow(50.0, number(random));
    const double dead_time = number(random) < 0.2 ? 0.0 : number(random) * number(random) / frequency;
    const auto update = static_cast<DutyUpdate>(random() % 4);
    const auto carrier = static_cast<Carrier>(random() % 2);
    const double start = number(random);
    double value = number(random);
    const auto duty = [&](double) { return value; };
    PwmLeg leg;
    leg.start(start, settings(frequency, dead_time, update, carrier, number(random)), duty);
    double last_off = -1.0, last_time = start, until = start;
    for (int step = 0; step < 400; ++step) {
      value = 1.4 * number(random) - 0.2;
      leg.replan(until, duty);
      until += 0.2 * number(random) / frequency;
      for (double next; (next = leg.next_change(until, duty)) <= until;) {
        const bool high = leg.high, low = leg.low;
        leg.apply(next);
        REQUIRE(next >= last_time - 1e-12);
        REQUIRE((leg.high != high || leg.low != low));
        REQUIRE_FALSE((leg.high && leg.low));
        const bool turned_on = (leg.high && !high) || (leg.low && !low);
        if ((high && !leg.high) || (low && !leg.low)) last_off = next;
        if (turned_on) REQUIRE(next - last_off >= dead_time - 1e-12);
        last_time = next;
      }
    }
    if (dead_time == 0.0) REQUIRE(leg.high != leg.low);
  }
}
