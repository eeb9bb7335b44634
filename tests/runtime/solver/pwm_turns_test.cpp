// Duties that jump or bend at known instants: on vertices, between them, several in a segment.

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "runtime/solver/pwm_leg.hpp"

namespace {

using takt::Carrier;
using takt::DutyUpdate;
using takt::PwmLeg;

constexpr double frequency = 10e3;

struct Steps {
  double first, period, high_for;
  [[nodiscard]] double operator()(double t) const noexcept {
    const double since = t - first - period * std::floor((t - first) / period);
    return since < high_for ? 0.83 : 0.17;
  }
  [[nodiscard]] double turn_after(double t, double /*until*/) const noexcept {
    return std::fmin(takt::instant_after(t, first, period), takt::instant_after(t, first + high_for, period));
  }
};

double carrier_at(Carrier carrier, double t) {
  const double ramp = frequency * t - std::floor(frequency * t);
  return carrier == Carrier::sawtooth ? ramp : 1.0 - std::abs(1.0 - 2.0 * ramp);
}

/// The last vertex at which the duty is taken over; of a triangle, valleys are at whole periods.
double taken_over(DutyUpdate update, Carrier carrier, double t) {
  const double halves = carrier == Carrier::sawtooth ? 1.0 : 2.0;
  const double shift = carrier == Carrier::triangle && update == DutyUpdate::peak ? 0.5 : 0.0;
  const double every = update == DutyUpdate::both ? halves : 1.0;
  const double vertex = (std::floor((frequency * t - shift) * every) / every + shift) / frequency;
  return std::fmax(vertex, 0.0) + 1e-11;  // right after it
}

int mismatches(const Steps& duty, Carrier carrier, DutyUpdate update, double step) {
  PwmLeg leg;
  leg.start(0.0, {.frequency_hz = frequency, .carrier = carrier, .update = update}, duty);
  int wrong = 0;
  double next = leg.next_change(0.0, duty), t = 0.0;
  for (int k = 1; k <= 4000; ++k) {
    const double until = k * step;
    for (; next <= until; next = leg.next_change(until, duty)) leg.apply(next);
    t = until;
    const double value = duty(update == DutyUpdate::continuous ? t : taken_over(update, carrier, t));
    const double above = value - carrier_at(carrier, t);
    const double to_turn = duty.turn_after(t - 1e-10, 1.0) - t;
    if (std::abs(above) < 1e-6 || std::abs(to_turn) < 2e-10) continue;  // on an edge
    const double ramp = frequency * t - std::floor(2.0 * frequency * t) / 2.0;
    if (ramp < 1e-6 || ramp > 0.5 - 1e-6) continue;  // on a vertex
    wrong += leg.high == (above > 0.0) ? 0 : 1;
  }
  return wrong;
}

}  // namespace

TEST_CASE("a duty that jumps acts from its instant on, and not before") {
  // On vertices; off them; several times a period; once in many.
  const std::vector<Steps> duties{{0.0, 200e-6, 100e-6}, {100e-6, 400e-6, 300e-6}, {3.7e-6, 137e-6, 61e-6},
                                  {1e-6, 23e-6, 9e-6},   {50e-6, 100e-6, 50e-6},   {0.7e-3, 1.0, 1.3e-3}};
  for (const Steps& duty : duties)
    for (const Carrier carrier : {Carrier::triangle, Carrier::sawtooth})
      for (const DutyUpdate update : {DutyUpdate::continuous, DutyUpdate::valley, DutyUpdate::peak, DutyUpdate::both})
        for (const double step : {0.917e-6, 1.03e-6, 10e-6}) {
          INFO(duty.period << " " << static_cast<int>(carrier) << " " << static_cast<int>(update) << " " << step);
          CHECK(mismatches(duty, carrier, update, step) == 0);
        }
}

TEST_CASE("a step of a duty on the vertex where a window ends makes no edge before it") {
  const auto ends = takt::DutyWithTurns{[](double t) noexcept { return t < 2e-3 ? 1.0 : 0.0; },
                                        [](double t, double) noexcept { return takt::instant_after(t, 2e-3, 0.0); }};
  for (const DutyUpdate update : {DutyUpdate::continuous, DutyUpdate::both}) {
    PwmLeg leg;
    leg.start(0.0, {.frequency_hz = frequency, .carrier = Carrier::sawtooth, .update = update}, ends);
    for (int k = 1; k <= 2000; ++k) REQUIRE(leg.next_change(k * 1e-6, ends) > k * 1e-6);
    const double change = leg.next_change(2.001e-3, ends);
    CHECK(std::abs(change - 2e-3) < 1e-15);
    leg.apply(change);
    CHECK(leg.low);
    CHECK(leg.next_change(4e-3, ends) > 4e-3);
  }
}

TEST_CASE("a duty without an instant ahead gives the edges of one that knows of none") {
  const auto wave = [](double t) noexcept { return 0.5 + 0.4 * std::sin(300.0 * t); };
  const auto turns =
      takt::DutyWithTurns{wave, [](double, double) noexcept { return std::numeric_limits<double>::infinity(); }};
  PwmLeg one, other;
  const takt::PwmSettings settings{.frequency_hz = frequency, .update = DutyUpdate::continuous};
  one.start(0.0, settings, wave), other.start(0.0, settings, turns);
  for (int k = 1; k <= 20'000; ++k) {
    double a = one.next_change(k * 1e-6, wave), b = other.next_change(k * 1e-6, turns);
    for (; a <= k * 1e-6; a = one.next_change(k * 1e-6, wave), b = other.next_change(k * 1e-6, turns)) {
      REQUIRE(std::abs(a - b) < 1e-14);
      one.apply(a), other.apply(b);
    }
  }
}
