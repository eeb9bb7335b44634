#pragma once
// Modulators of config/plants/inverter_power by hand: duty 0.5 + 0.5*m*sin(2*pi*50 Hz*t + shift) against a triangle of
// 10 kHz, natural sampling, dead time. Times in micro-steps of the present window.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace by_hand {

constexpr double pi = 3.14159265358979323846, m = 0.8, f_out = 50.0, dead_time = 2.0;  // micro-steps
constexpr long half_period = 50;  // micro-steps from valley to peak
constexpr double never = 1e300;

struct Leg {
  double flip = never, turn_on = never;
  bool comparator = true, high = true, low = false;

  [[nodiscard]] double next() const { return std::min(flip, turn_on); }

  /// Where the duty meets the carrier in the half period from `begin` on.
  /// @param s, c  sine and cosine of the duty's angle at `begin`
  void plan(double begin, bool rising, double s, double c) {
    constexpr double w = 2 * pi * f_out * 1e-6, per = 1.0 / half_period;
    // f(t) = duty less carrier; first by its tangent, then twice by Newton: the duty is nearly straight.
    const double from = rising ? 0.5 : -0.5, slope = rising ? -per : per, half_m = 0.5 * m;
    double t = -(from + half_m * s) / (slope + half_m * w * c);
    for (int round = 0; round < 2; ++round) {
      const double d = w * t, d2 = d * d, sine = d * (1 - d2 * (1.0 / 6) * (1 - d2 * (1.0 / 20)));
      const double cosine = 1 - d2 * 0.5 * (1 - d2 * (1.0 / 12) * (1 - d2 * (1.0 / 30)));
      const double sin_t = s * cosine + c * sine, cos_t = c * cosine - s * sine;
      t -= (from + slope * t + half_m * sin_t) / (slope + half_m * w * cos_t);
    }
    if (t >= 0.0 && t < static_cast<double>(half_period) && comparator == rising) flip = begin + t;
  }

  /// Carries out what is due. A pulse shorter than the dead time is swallowed.
  void act() {
    if (turn_on < flip) {
      (comparator ? high : low) = true;
      turn_on = never;
      return;
    }
    (comparator ? high : low) = false;
    comparator = !comparator;
    turn_on = flip + dead_time;
    flip = never;
  }
};

struct Modulator {
  std::array<Leg, 3> legs;

  /// @param begin  of the half period, in the window; `now`, since the start
  void plan(long begin, long now) {
    const double angle = 2 * pi * f_out * 1e-6 * static_cast<double>(now % 20000);  // whole periods are exact
    const double s = std::sin(angle), c = std::cos(angle);
    const bool rising = (now / half_period) % 2 == 0;
    constexpr double third = -0.5, root = 0.86602540378443864676;  // shifts of 0, -2*pi/3, 2*pi/3
    legs[0].plan(static_cast<double>(begin), rising, s, c);
    legs[1].plan(static_cast<double>(begin), rising, s * third - c * root, c * third + s * root);
    legs[2].plan(static_cast<double>(begin), rising, s * third + c * root, c * third - s * root);
  }
  [[nodiscard]] double next() const { return std::min({legs[0].next(), legs[1].next(), legs[2].next()}); }
  void shift(double window) {
    for (Leg& leg : legs) leg.flip -= window, leg.turn_on -= window;
  }
};

}  // namespace by_hand
