#pragma once
// Control of emitted Newton blocks: `plain` iterations of Newton's method. Where they do not bring the residuals down
// (they jump to and fro across a kink, or off to where a law is flat), the same number again from where they began, now
// damped: a step after which the residuals have not shrunk enough is taken back and tried again at a tenth of its
// length. Source: P. Deuflhard, Newton Methods for Nonlinear Problems (2011), sec. 3.1.4 (Armijo's condition); the
// residuals are summed as they are: along Newton's direction all of them shrink alike.
//
// A block ends early after an undamped step so small that the next one would be rounding: the error of Newton's method
// is squared from step to step. The iterates are the same on every machine, and so is where they end. The residual
// recorded then is the one that step began with, an upper bound of what is left.
//
// Real-time: bounded; at most 2*plain steps and 2*plain + 1 evaluations of the residuals.

#include <limits>

#include "runtime/math/elementary.hpp"

namespace takt {

enum class NewtonMove { first, plain, accept, reject, undo, stop };

[[nodiscard]] constexpr bool is_undamped(NewtonMove move) noexcept {
  return move == NewtonMove::first || move == NewtonMove::plain;
}

/// One block while it is solved.
struct NewtonDamping {
  int plain = 0;       ///< undamped iterations
  double best = 0.0;   ///< sum of |residuals| where the steps lead on from
  double share = 1.0;  ///< of the step
  double left = 0.0;   ///< sum of |residuals| at the last point that counts, looked at before the last step

  /// @param iteration  0 .. 2*plain
  /// @param here       sum of |residuals| where we are; NaN counts as infinite
  NewtonMove judge(int iteration, double here) noexcept {
    if (iteration == 0) {
      best = here < std::numeric_limits<double>::infinity() ? here : std::numeric_limits<double>::infinity();
      left = best;
      return NewtonMove::first;
    }
    if (iteration < plain) {
      left = here;
      return NewtonMove::plain;
    }
    const bool good = here <= (iteration == plain ? 0.9 : iteration == 2 * plain ? 1.0 : 1.0 - 0.25 * share) * best;
    left = good ? here : best;
    if (good && (iteration == plain || iteration == 2 * plain)) return NewtonMove::stop;
    if (iteration == 2 * plain) return NewtonMove::undo;
    best = left;
    share = good ? 1.0 : 0.1 * share;
    return good ? NewtonMove::accept : NewtonMove::reject;
  }
};

inline constexpr double newton_relative = 1e-8;   ///< root of the rounding of doubles
inline constexpr double newton_absolute = 1e-11;  ///< of typical_change(): below it a step is the rounding of what it was taken from

/// Whether Newton's step of one unknown is so small that none need follow; false for NaN.
/// @param typical  of the unknown's unit
[[nodiscard]] inline bool newton_settled(double at, double newton_step, double typical) noexcept {
  return math::abs(newton_step) <= newton_relative * math::abs(at) + newton_absolute * typical;
}

/// One unknown.
struct NewtonUnknown {
  double from;        ///< where the steps lead on from
  double step = 0.0;  ///< Newton's step there

  /// The next point. A step that is not finite, where a law is flat, is not taken.
  double next(NewtonMove move, double share, double at, double newton_step) noexcept {
    const double finite = math::abs(newton_step) < 1e30 ? newton_step : 0.0;
    if (move == NewtonMove::plain) return at - finite;
    if (move == NewtonMove::undo) return from;
    if (move != NewtonMove::reject) from = at, step = finite;
    return from - share * step;
  }
};

}  // namespace takt
