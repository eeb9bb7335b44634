#pragma once
// Control of emitted Newton blocks: `plain` iterations of Newton's method. Where they do not solve the equations (they
// jump to and fro across a kink, or off to where a law is flat), more ways are tried, each from where the block
// began:
//  - limited, where exponentials of the unknowns occur: a step is cut so that no argument grows by more than the
//  logarithm
//    of what Newton's method asks for. Source: L. W. Nagel, SPICE2 (1975), sec. 3.2.2 (limiting of junction voltages).
//  - lowered, where that does not do: Newton's method comes down an exponential by 1 of its argument in a step, and not
//    at all from where it overflows. The unknowns are moved, by the shortest way, to where the largest argument is
//    small (T. S. Motzkin, I. J. Schoenberg, The relaxation method for linear inequalities, Canad. J. Math. 6 (1954));
//    from there steps are cut as before.
//  - damped: a step after which the residuals have not shrunk enough is taken back and tried again at a tenth of its
//  length,
//    one that went well lets the next be ten times as long. Source: P. Deuflhard, Newton Methods for Nonlinear Problems
//    (2011), sec. 3.1.4 (Armijo's condition); the residuals are summed as they are: along Newton's direction all shrink
//    alike.
//  - free: many more whole steps. Where laws have kinks (valves that regulate, limits) Newton's method finds the
//    piece that the solution lies on after many steps that let the residuals grow, and cut steps end at a kink.
//    Source: J.-S. Pang, Newton's method for B-differentiable equations, Math. Oper. Res. 15 (1990).
//  - bisected, last: where whole steps jump to and fro across a narrow piece (the linear range of an amplifier between
//    its limits) steps are halved until one ends on it; as long as residuals shrink as a piece without kinks says, what
//    was too long before still is. Source: J. Katzenelson, Bell Syst. Tech. J. 44 (1965) (from piece to piece).
// Where no step can be taken at all, as a law is flat where the block began (r*|q|*q at rest) or infinitely steep
// there, and the equations do not hold, the unknowns are nudged to places of their own first.
//
// A block ends after an uncut step so small that the next one would be rounding: the error of Newton's method
// is squared from step to step. It also ends, once the plain iterations are used up, where every equation holds to
// newton_tolerance of the magnitude of its terms and the residuals no longer shrink. A block that reaches neither is
// unsolved: counted, never passed over. The iterates are the same on every machine, and so is where they end. The
// residual recorded is the one that the last step began with, an upper bound of what is left.
//
// Real-time: bounded; at most plain + newton_limited + newton_damped + 1 evaluations of the residuals, and
// newton_from_low more where exponentials occur.

#include <cstdint>
#include <limits>

#include "runtime/math/elementary.hpp"

namespace takt {

enum class NewtonMove : std::uint8_t { first, plain, limited, lower, back, accept, reject, undo, nudge, across, again };

inline constexpr int newton_limited = 30;  ///< trials with cut steps beyond the plain iterations
inline constexpr int newton_cut = 50;      ///< damped trials beyond those
inline constexpr int newton_whole = 40;    ///< whole steps beyond those, before short ones, and
inline constexpr int newton_short = 20;    ///< a tenth of a step: whole ones may go round in a circle of pieces
inline constexpr int newton_free = newton_whole + newton_short + 20;
inline constexpr int newton_bisected = 200;  ///< steps that are halved beyond those
inline constexpr int newton_damped =
    newton_cut + newton_free + newton_bisected + 2;  ///< all these, and the ways back between them
inline constexpr int newton_lowered = 20;            ///< moves to small arguments of exponentials
inline constexpr int newton_from_low = newton_lowered + newton_limited + 2;  ///< trials that these add
inline constexpr double newton_low = 1.0;         ///< argument of an exponential that growth is found from
inline constexpr double newton_tolerance = 1e-6;  ///< share of the magnitude of its terms that an equation may be off
inline constexpr double newton_relative = 1e-8;   ///< root of the rounding of doubles
inline constexpr double newton_absolute =
    1e-11;  ///< of typical_change(): below it a step is the rounding of what it was taken from

/// One block while it is solved.
struct NewtonDamping {
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  int plain = 0;             ///< undamped iterations
  bool exponential = false;  ///< there are arguments to limit
  enum class Phase : std::uint8_t { plain, limited, lowered, damped, nudged, free, bisected } phase = Phase::plain;
  int tries = 0;           ///< in this phase
  double best = 0.0;       ///< sum of |residuals| where the steps lead on from
  double share = 1.0;      ///< of the step
  double too_long = 0.0;   ///< shares from here on are; 0: none is known to be
  double left = 0.0;       ///< sum of |residuals| at the last point that counts, looked at before the last step
  double last = infinite;  ///< sum of |residuals| one iteration before
  bool stalled = false;    ///< they hardly shrink any more
  bool holding = true;     ///< every equation looked at in this iteration
  bool solved = false;
  bool low = false;      ///< arguments have been made small, or none was large
  double above = 0.0;    ///< how far the largest argument is above a small one
  bool moved = false;    ///< the residuals are not what they were where the block began
  bool turned = false;   ///< a residual of one unknown fell at one iterate and rose at another
  std::int8_t side = 0;  ///< whether it rises (1) or falls (-1) with its unknown

  /// @param iteration  0 .. plain + newton_limited + newton_damped, and newton_from_low where exponentials occur
  /// @param here       sum of |residuals| where we are; NaN counts as infinite
  NewtonMove judge(int iteration, double here) noexcept {
    holding = true;
    stalled = !(here < 0.9 * last);
    moved = moved || (iteration > 0 && here != last);
    last = here;
    if (iteration == 0) {
      best = left = here < infinite ? here : infinite;
      return NewtonMove::first;
    }
    if (phase == Phase::plain) {
      left = here;
      return iteration < plain ? NewtonMove::plain : after_plain(here);
    }
    if (phase == Phase::nudged) return go_across();
    if (phase == Phase::lowered) return go_lower(here);
    if (phase == Phase::free) return go_free(here);
    if (phase == Phase::bisected) return go_bisected(here);
    return phase == Phase::limited ? go_limited(here) : go_damped(here);
  }
  /// Begins to cut a step; then limit() for each argument of an exponential.
  void begin_limit() noexcept { share = 1.0; }
  /// @param argument  where we are
  /// @param change    of it by Newton's step
  void limit(double argument, double change) noexcept {
    const double base = math::max(argument, 0.0), beyond = argument + change - base;
    if (!(beyond > 2.0)) return;
    share = math::min(share, (base - argument + math::log(1.0 + beyond)) / change);
  }
  /// Begins to look for the largest argument; then is_highest() for each of an exponential.
  void begin_lower() noexcept { above = share = 0.0; }
  /// @param argument  where we are
  /// @param slopes    sum of the squares of its derivatives with respect to the unknowns
  /// @return it is the largest yet, and goes down to a small one by `share` times these derivatives
  [[nodiscard]] bool is_highest(double argument, double slopes) noexcept {
    const double excess = argument - newton_low;
    if (!(excess > math::max(above, newton_low) && excess < infinite && slopes > 0.0 && slopes < infinite))
      return false;
    above = excess;
    share = excess / slopes;
    return true;
  }
  /// Whether Newton's step is taken whole after this move.
  [[nodiscard]] bool whole(NewtonMove move) const noexcept {
    return move == NewtonMove::first || move == NewtonMove::plain ||
           ((move == NewtonMove::limited || move == NewtonMove::accept) && share == 1.0);
  }
  /// Once the plain iterations are used up and nothing more is gained the equations have to show how well they hold. As
  /// long as the residuals shrink the unknowns still move: a voltage across an exponential is the logarithm of what is
  /// left over.
  [[nodiscard]] bool looks(int iteration) const noexcept {
    const bool cut_enough = phase == Phase::free && tries == 0;
    const int most = phase == Phase::damped     ? newton_cut
                     : phase == Phase::free     ? newton_free
                     : phase == Phase::bisected ? newton_bisected
                                                : newton_limited;
    return iteration >= plain && (stalled || cut_enough || tries >= most);
  }
  /// One equation where we are. NaN counts as not holding.
  void look(double residual, double terms) noexcept {
    holding = holding && (math::abs(residual) <= newton_tolerance * terms);
  }
  /// After all were looked at: nothing more to gain here.  @param here  sum of |residuals|
  [[nodiscard]] bool holds(double here) noexcept {
    solved = holding && here < infinite;
    if (solved) left = here;
    return solved;
  }
  /// After a whole step too small to be followed by another.
  void settle() noexcept { solved = left < infinite; }
  /// A block of one unknown: where the residual turns, it has several solutions, or none.
  void watch(double residual, double step) noexcept {
    const double slope = residual * step;
    if (slope == 0.0 || slope != slope) return;
    const std::int8_t now = slope > 0.0 ? 1 : -1;
    turned = turned || side * now < 0;
    side = now;
  }

 private:
  NewtonMove after_plain(double here) noexcept {
    if (!moved && here > 0.0 && here < infinite) return begin_elsewhere();
    phase = exponential ? Phase::limited : Phase::damped;
    if (here <= 0.9 * best) {
      best = here;
      return NewtonMove::accept;
    }
    left = best;
    if (exponential) return NewtonMove::back;
    share = 0.1;
    return NewtonMove::reject;
  }
  NewtonMove begin_elsewhere() noexcept {
    phase = Phase::nudged;
    share = 0.1;
    return NewtonMove::nudge;
  }
  /// What comes next counts, whatever its residuals.
  NewtonMove go_across() noexcept {
    phase = Phase::damped;
    best = infinite;
    return NewtonMove::across;
  }
  NewtonMove go_limited(double here) noexcept {
    left = here;
    if (++tries <= newton_limited && here < infinite) return NewtonMove::limited;
    phase = low ? Phase::damped : Phase::lowered;
    low = true;
    tries = 0;
    above = infinite;
    left = best;
    share = 1.0;
    return NewtonMove::back;
  }
  NewtonMove go_lower(double here) noexcept {
    left = here;
    if (above > 0.0 && tries++ < newton_lowered) return NewtonMove::lower;
    const bool stayed = tries <= 1;  // no argument was large
    phase = stayed ? Phase::damped : Phase::limited;
    tries = 0;
    share = 1.0;
    return stayed ? go_damped(here) : go_limited(here);
  }
  NewtonMove go_damped(double here) noexcept {
    constexpr double shortest = 1e-13;  // nothing is gained below
    const bool begins = exponential && tries == 0;
    const bool good = begins || here <= (1.0 - 0.25 * share) * best;
    left = good ? here : best;
    if (++tries == newton_cut || (!good && share < shortest)) return begin_free();
    best = left;
    share = begins ? 1.0 : good ? math::min(1.0, 10.0 * share) : 0.1 * share;
    return good ? NewtonMove::accept : NewtonMove::reject;
  }
  /// The unknowns are left where cut steps have led if this does not do.
  NewtonMove begin_free() noexcept {
    left = best;
    phase = Phase::free;
    tries = 0;
    return NewtonMove::again;
  }
  NewtonMove go_free(double here) noexcept {
    const bool over = ++tries > newton_free || !(here < infinite);
    left = over ? best : here;
    if (over) return begin_bisected();
    const bool breaks_cycle = tries > newton_whole && tries <= newton_whole + newton_short;
    share = breaks_cycle ? 0.1 : 1.0;
    return breaks_cycle ? NewtonMove::limited : NewtonMove::plain;
  }
  NewtonMove begin_bisected() noexcept {
    phase = Phase::bisected;
    tries = 0;
    return NewtonMove::again;
  }
  NewtonMove go_bisected(double here) noexcept {
    constexpr double shortest = 1e-9;
    constexpr double same_piece = 1e-6;  // of what residuals may differ by from those of a piece without kinks
    if (++tries > newton_bisected) {
      left = best;
      return NewtonMove::undo;
    }
    const bool at_kink = share < shortest && here <= (1.0 + same_piece) * best;  // another piece leads on
    if (tries > 1 && !(here < best) && !at_kink) {
      left = best;
      too_long = share;
      share *= 0.5;
      return NewtonMove::reject;
    }
    const bool straight = tries > 1 && !at_kink && math::abs(here - (1.0 - share) * best) <= same_piece * best;
    too_long = straight && too_long > share ? (too_long - share) / (1.0 - share) : 0.0;
    share = too_long > 0.0 ? 0.5 * too_long : 1.0;
    best = left = here;
    return NewtonMove::accept;
  }
};

/// Whether Newton's step of one unknown is so small that none need follow; false for NaN.
/// @param typical  of the unknown's unit
[[nodiscard]] inline bool newton_settled(double at, double newton_step, double typical) noexcept {
  return math::abs(newton_step) <= newton_relative * math::abs(at) + newton_absolute * typical;
}

/// One unknown.
struct NewtonUnknown {
  double from;          ///< where the steps lead on from
  double nudge = 0.0;   ///< how far it goes first if no step can be taken (first_nudge()); 0 once one could
  double step = 0.0;    ///< Newton's step there
  double slope = 0.0;   ///< of the largest argument of an exponential
  double began = from;  ///< where the block began

  /// The next point. A step that is not finite, where a law is flat, is not taken.
  double next(NewtonMove move, double share, double at, double newton_step) noexcept {
    const bool is_finite = math::abs(newton_step) < 1e30;
    const double finite = is_finite ? newton_step : 0.0;
    if (move == NewtonMove::nudge) {
      if (is_finite) nudge = 0.0;
      from = at, step = finite;
      return from - nudge - share * step;
    }
    if (move == NewtonMove::across) return from + nudge - share * step;
    if (move == NewtonMove::plain) return at - finite;
    if (move == NewtonMove::limited) return at - share * finite;
    if (move == NewtonMove::lower) return at - share * slope;
    if (move == NewtonMove::undo || move == NewtonMove::back) return from;
    if (move == NewtonMove::again) return began;
    if (move == NewtonMove::first) began = at;
    if (move != NewtonMove::reject) from = at, step = finite;
    return from - share * step;
  }
};

}  // namespace takt
