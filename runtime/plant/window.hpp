#pragma once
// What a subsystem computes at a time, and what drives it meanwhile: all that emitted subsystems know of a plan. A
// header of its own, since every file of every plant reads it when it is compiled.

#include <cstdint>

namespace takt {

/// Input of a subsystem within one window: u(s) = c0 + c1*s + c2*s^2 + c3*s^3, s seconds since the start of the window.
struct InputPolynomial {
  double c0 = 0.0, c1 = 0.0, c2 = 0.0, c3 = 0.0;
  /// Where the plan says that no higher coefficient is used, `degree` saves them.
  template <int degree = 3>
  [[nodiscard]] double at(double s) const noexcept {
    static_assert(degree >= 0 && degree <= 3);
    if constexpr (degree == 0) return c0;
    if constexpr (degree == 1) return c0 + c1 * s;
    if constexpr (degree == 2) return c0 + s * (c1 + s * c2);
    return c0 + s * (c1 + s * (c2 + s * c3));
  }
  /// The same from d seconds later on.
  [[nodiscard]] InputPolynomial from(double d) const noexcept {
    return {c0 + d * (c1 + d * (c2 + d * c3)), c1 + d * (2.0 * c2 + d * (3.0 * c3)), c2 + d * (3.0 * c3), c3};
  }
};

/// One window to compute.
struct Window {
  std::int64_t start_ns = 0;  ///< simulated time at its start
  std::int64_t step_ns = 0;   ///< micro-step
  std::int32_t steps = 0;     ///< micro-steps in the window
  /// Paced, of what another process computes: wall times (CLOCK_MONOTONIC) until which it may take, and at which the
  /// next window begins. 0: free
  std::int64_t answer_by_ns = 0, next_ns = 0;
};

}  // namespace takt
