#pragma once
// Explicit Runge-Kutta method of order 3 with 4 stages that preserves strong stability: what Euler's method keeps
// bounded with a step h - a content above zero, a front without overshoot - it keeps with a step 2 h. Stable on the
// negative real axis to 5.15.
//
// Source: J. F. B. M. Kraaijevanger, BIT 31 (1991), 482-528; S. J. Ruuth, R. J. Spiteri, J. Sci. Comput. 17 (2002),
// SSPRK(4,3).

#include "runtime/solver/explicit_rk.hpp"

namespace takt {

struct Ssprk43 {
  static constexpr int order = 3, stages = 4;
  static constexpr double a[4][4] = {
      {0.0, 0.0, 0.0, 0.0}, {0.5, 0.0, 0.0, 0.0}, {0.5, 0.5, 0.0, 0.0}, {1.0 / 6.0, 1.0 / 6.0, 1.0 / 6.0, 0.0}};
  static constexpr double c[4] = {0.0, 0.5, 1.0, 0.5};
  static constexpr double weight[4] = {1.0, 1.0, 1.0, 3.0};
  static constexpr double divisor = 6.0;
  static constexpr double reach = 6.0;
};

}  // namespace takt
