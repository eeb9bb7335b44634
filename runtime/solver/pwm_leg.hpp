#pragma once
// Pulse-width modulator of one half bridge with edges exact in time.
//
// A comparator is high while duty > carrier. The carrier runs in segments, straight lines between vertices:
//   triangle: 0 -> 1 -> 0, two segments (half periods) a period, valley (0) where f*t + phase is whole, peak (1)
//   between sawtooth: 0 -> 1, one segment a period, falling back to 0 where f*t + phase is whole (valley and peak at
//   once) vertex time  t_n = (n - m*phase)/(m*f),  m segments a period, n a whole number: never accumulated, so it
//   stays within
//                      one rounding of the true time however long the plant runs
// Regular sampling (valley, peak, both) takes the duty over at vertices; natural sampling (continuous) finds the
// crossing of duty(t) with the carrier. f frequency [Hz], phase [periods], duty [1], t simulated time [s].
//
// A duty that jumps or bends is computed with from such an instant on, and not before: there a segment is planned in
// pieces, and what is taken over at a vertex is what holds right after it.
//
// Each flip of the comparator turns the outgoing switch off at once and the incoming one on dead_time later, unless the
// comparator flips back before (the pulse is swallowed and the dead time starts anew).
// Source: D. G. Holmes, T. A. Lipo, Pulse Width Modulation for Power Converters, 2003, sections 3.1-3.4 (sampling).
// Real-time: wait-free, bounded work a call, at most 8 calls of the duty a segment or piece of one. Never throws (if
// the duty does not).

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "runtime/solver/time_instants.hpp"

namespace takt {

enum class Carrier : std::uint8_t { triangle, sawtooth };
enum class DutyUpdate : std::uint8_t { continuous, valley, peak, both };  ///< when the duty is taken over

struct PwmSettings {
  double frequency_hz = 0.0;  ///< > 0; otherwise the leg stays off
  double phase = 0.0;         ///< periods the carrier is ahead
  double dead_time_s = 0.0;   ///< >= 0
  Carrier carrier = Carrier::triangle;
  DutyUpdate update = DutyUpdate::both;
};

/// A duty that knows where it jumps or bends: turn_after(t, until), the first such instant after t, s; where there is
/// none up to `until`, anything later.
template <class DutyOfTime>
concept TurningDuty = requires(const std::remove_cvref_t<DutyOfTime>& duty, double t) {
  duty.turn_after(t, t);
};

/// One of two functions: double(double time_s) and double(double t, double until).
template <class DutyOfTime, class TurnAfter>
struct DutyWithTurns {
  DutyOfTime duty;
  TurnAfter turns;
  [[nodiscard]] double operator()(double t) const noexcept { return duty(t); }
  [[nodiscard]] double turn_after(double t, double until) const noexcept { return turns(t, until); }
};
template <class DutyOfTime, class TurnAfter>
DutyWithTurns(DutyOfTime, TurnAfter) -> DutyWithTurns<DutyOfTime, TurnAfter>;

/// Plain data, part of plant memory: copied, stored and restored as bytes.
/// Call order: start(); then for each step from t to `until`: replan(t) where the duty's inputs have changed,
/// next_change(until) and, as long as that is <= until, apply(change) and next_change(until) again.
/// As long as a step ends before what next_change() has returned, nothing needs to be called.
struct PwmLeg {
  static constexpr double never = std::numeric_limits<double>::infinity();
  static constexpr int longest_look_ahead = 64;  ///< segments planned by one call

  PwmSettings settings;
  double segment_end = never;    ///< vertex up to which everything is known, or where a duty turns before it, s
  double flip = never;           ///< the comparator's next flip, s
  double flip_after = never;     ///< and the one after it, s
  double turn_on = never;        ///< end of a dead time that is running, s
  double latched = 0.0;          ///< duty in force, 0..1, where it is taken over at vertices
  double duty_at_begin = never;  ///< a continuous duty where a segment planned whole begins; never: not known
  double duty_at_end = never;    ///< and at segment_end
  double same_time_s = 0.0;      ///< times this close are meant to be the same, s (of the settings, kept: a division)
  std::int64_t segment = 0;      ///< whole number of the vertex the planned segment starts at
  bool comparator = false;
  bool high = false, low = false;  ///< levels of the two switches, never both

  // A duty is any callable double(double time_s) noexcept, maybe a TurningDuty.

  /// Sets levels and plan at simulated time t, s; without dead time, with duty(t) in force until it is next taken over.
  template <class DutyOfTime>
  void start(double t, const PwmSettings& wanted, DutyOfTime&& duty) noexcept {
    *this = PwmLeg{};
    settings = wanted;
    if (!(settings.frequency_hz > 0.0) || !std::isfinite(settings.frequency_hz * t + settings.phase)) {
      settings.frequency_hz = 0.0;
      return;
    }
    if (!(settings.dead_time_s > 0.0)) settings.dead_time_s = 0.0;
    same_time_s = 1e-9 / (segments_per_period() * settings.frequency_hz);
    latched = clamped(from_now_on(t, duty));
    const Plan next = plan(locate(t), duty, latched);
    flip = next.crossing;
    high = comparator = next.level;
    low = !comparator;
  }

  /// Time of the earliest change of (high, low) that is still to come, s. Where nothing changes up to `until`, a later
  /// time before which nothing changes.
  /// A vertex that falls on `until` (to rounding) belongs to the next step, whose inputs decide about the duty there.
  /// So a change may lie at the start of a step, or before it by rounding: apply() it before the first segment. Where
  /// more than longest_look_ahead segments end up to `until`, the last vertex looked at is returned instead.
  /// @param of_time  the duty reads nothing but time and what replan() has been called for: one that was computed ahead
  ///                 still holds
  template <class DutyOfTime>
  [[nodiscard]] double next_change(double until, DutyOfTime&& duty, bool of_time = false) noexcept {
    if (!of_time) duty_at_begin = duty_at_end = never;
    for (int planned = 0;;) {
      if (flip <= turn_on && flip < never) {
        if (flip > until || (comparator ? high : low)) return flip;
        take_flip();  // during a dead time: the levels stay
      } else if (turn_on < segment_end) {
        return turn_on;
      } else if (segment_end >= until - rounding(until)) {
        return segment_end > until ? segment_end : std::nextafter(until, never);
      } else if (planned++ == longest_look_ahead) {
        return segment_end;
      } else {
        plan_next(duty);
      }
    }
  }

  /// Carries out every change due up to and including t, s.   @pre next_change(until >= t) has been called.
  void apply(double t) noexcept {
    for (;;) {
      if (flip <= turn_on && flip <= t) {
        take_flip();
      } else if (turn_on <= t) {
        (comparator ? high : low) = true;
        turn_on = never;
      } else {
        return;
      }
    }
  }

  /// The duty function has changed (new inputs) at t, s: plans the rest of this segment anew where the duty is
  /// continuous.
  /// @pre apply() has been called up to t; next_change() has not been asked beyond t.
  template <class DutyOfTime>
  void replan(double t, DutyOfTime&& duty) noexcept {
    if (settings.update != DutyUpdate::continuous || segment_end == never) return;
    flip = flip_after = duty_at_begin = duty_at_end = never;
    enter(locate(t), duty);
  }

  // Internal, public only for the standard layout.
  struct Start {
    std::int64_t segment;
    double position;  ///< in the segment, 0 <= position < 1
    double time;      ///< s
  };
  struct Plan {
    bool level;       ///< of the comparator at the start
    double crossing;  ///< time it flips from there to the segment's end, s
  };

  [[nodiscard]] static double clamped(double duty) noexcept { return duty > 0.0 ? (duty < 1.0 ? duty : 1.0) : 0.0; }
  [[nodiscard]] double segments_per_period() const noexcept {
    return settings.carrier == Carrier::triangle ? 2.0 : 1.0;
  }
  [[nodiscard]] bool rising() const noexcept { return settings.carrier == Carrier::sawtooth || (segment & 1) == 0; }

  /// Time of `position` in segment n, s.
  [[nodiscard]] double time_at(std::int64_t n, double position) const noexcept {
    const double m = segments_per_period();
    return (static_cast<double>(n) - m * settings.phase + position) / (m * settings.frequency_hz);
  }

  /// How far two times may differ that are meant to be the same, s.
  [[nodiscard]] double rounding(double t) const noexcept { return same_time_s + 1e-15 * std::fabs(t); }

  [[nodiscard]] Start locate(double t) const noexcept {
    const double m = segments_per_period();
    const double at = m * (settings.frequency_hz * t + settings.phase);
    const double whole = std::floor(at + m * settings.frequency_hz * rounding(t));
    return {static_cast<std::int64_t>(whole), at > whole ? at - whole : 0.0, t};
  }

  /// What holds right after t.
  template <class DutyOfTime>
  [[nodiscard]] double from_now_on(double t, DutyOfTime&& duty) const noexcept {
    if constexpr (TurningDuty<DutyOfTime>)
      return duty(t + 2.0 * rounding(t));
    else
      return duty(t);
  }

  void take_flip() noexcept {
    (comparator ? high : low) = false;
    comparator = !comparator;
    turn_on = flip + settings.dead_time_s;
    if (settings.dead_time_s == 0.0) {
      (comparator ? high : low) = true;
      turn_on = never;
    }
    flip = flip_after;
    flip_after = never;
  }

  template <class DutyOfTime>
  void plan_next(DutyOfTime&& duty) noexcept {
    if constexpr (TurningDuty<DutyOfTime>)
      if (segment_end < time_at(segment + 1, 0.0)) return enter(locate(segment_end), duty);  // the next piece of it
    const std::int64_t n = segment + 1;
    const bool valley = settings.carrier == Carrier::sawtooth || (n & 1) == 0;
    const bool peak = settings.carrier == Carrier::sawtooth || !valley;
    const DutyUpdate update = settings.update;
    const bool takes_over =
        update == DutyUpdate::both || (update == DutyUpdate::valley && valley) || (update == DutyUpdate::peak && peak);
    if (takes_over) latched = clamped(from_now_on(segment_end, duty));
    enter({n, 0.0, segment_end}, duty);
  }

  /// Plans from `from` to the end of its segment and flips there at once where the comparator disagrees.
  template <class DutyOfTime>
  void enter(const Start& from, DutyOfTime&& duty) noexcept {
    const double at_start = settings.update != DutyUpdate::continuous ? latched
                            : duty_at_end < never                     ? duty_at_end
                                                                      : from_now_on(from.time, duty);
    const Plan next = plan(from, duty, at_start);
    flip = next.level == comparator ? next.crossing : from.time;
    flip_after = next.level == comparator ? never : next.crossing;
  }

  template <class DutyOfTime>
  [[nodiscard]] Plan plan(const Start& from, DutyOfTime&& duty, double duty_at_start) noexcept {
    segment = from.segment;
    segment_end = time_at(segment + 1, 0.0);
    if (settings.update != DutyUpdate::continuous) return plan_regular(from);
    if constexpr (TurningDuty<DutyOfTime>)
      return plan_piece(from, duty, duty_at_start);
    else
      return plan_natural(from, duty, duty_at_start, 1.0);
  }

  /// Up to where the duty turns, or the vertex. Nothing of it is known for the next piece.
  template <class DutyOfTime>
  [[nodiscard]] Plan plan_piece(const Start& from, DutyOfTime&& duty, double duty_at_start) noexcept {
    double end = 1.0;
    const double turn = duty.turn_after(from.time + rounding(from.time), segment_end);
    if (turn < segment_end - rounding(segment_end)) {
      segment_end = turn;
      end = segments_per_period() * (settings.frequency_hz * turn + settings.phase) - static_cast<double>(segment);
    }
    const double margin = std::fmin(2.0 * rounding(segment_end), 0.25 * (segment_end - from.time));
    const Inside inside{from.time + margin, segment_end - margin};
    const auto between = [&duty, inside](double t) noexcept { return duty(inside.of(t)); };
    const Plan plan = plan_natural(from, between, duty_at_start, end);
    duty_at_begin = duty_at_end = never;
    return plan;
  }

  [[nodiscard]] Plan plan_regular(const Start& from) const noexcept {
    const bool up = rising();
    const double at = up ? latched : 1.0 - latched;  // where duty and carrier meet; before it, the level is `up`
    if (at <= from.position) return {!up, never};
    return {up, at < 1.0 ? time_at(segment, at) : never};
  }

  /// The carrier at a place in the segment.
  [[nodiscard]] double carrier(double position) const noexcept { return rising() ? position : 1.0 - position; }

  /// One crossing a segment at most: the duty's slope is taken to be less than the carrier's.
  /// @param end  place in the segment up to which the duty is what it is
  template <class DutyOfTime>
  [[nodiscard]] Plan plan_natural(const Start& from, DutyOfTime&& duty, double duty_at_start, double end) noexcept {
    constexpr double agrees = 1e-9;  // just after its crossing, rounding must not flip the comparator back
    const bool up = rising();
    duty_at_end = duty(segment_end);
    const double before = duty_at_begin;  // where duty_at_start is known from the last segment
    duty_at_begin = from.position == 0.0 ? duty_at_start : never;
    const double first = duty_at_start - carrier(from.position);
    const double last = duty_at_end - carrier(end);
    bool level = up ? first > 0.0 : first >= 0.0;
    if (from.position > 0.0 && std::fabs(first) < agrees) level = comparator;
    if (!(level ? last < 0.0 : last > 0.0)) return {level, never};
    if (before < never && from.position == 0.0 && first * last < 0.0)
      if (const double at = root_of_parabola({before, duty_at_start, duty_at_end}, duty); at < never)
        return {level, time_at(segment, at)};
    return {level, time_at(segment, root({from.position, end, first, last}, duty))};
  }

  struct Duties {
    double before, first, last;  ///< where the last segment began, where this one begins and ends
  };
  /// Zero of duty less carrier by the parabola through three duties, then once by its slope with what it leaves over.
  /// Of a smooth duty the slope's error is that of a cubic through the three, at most what is left over by x*(1 - x),
  /// so the error is known; `never` where it is not rounding. Where a duty bends right there, within 2e-7 of a segment.
  template <class DutyOfTime>
  [[nodiscard]] double root_of_parabola(const Duties& at, DutyOfTime&& duty) const noexcept {
    constexpr double harmless = 1e-13;  // of a segment: less than the rounding of times from some segments on
    const double rise = rising() ? 1.0 : -1.0, c = at.first - carrier(0.0);
    const double b = 0.5 * (at.last - at.before) - rise, a = 0.5 * ((at.last - at.first) - (at.first - at.before));
    const double chord = -c / (a + b), per_slope = 1.0 / (b + 2.0 * a * chord);
    const double x = chord - (c + chord * (b + a * chord)) * per_slope;
    if (!(x > 0.0 && x < 1.0)) return never;
    const double left = duty(time_at(segment, x)) - carrier(x), step = left * per_slope;
    const double next = x - step;
    return std::fabs(left * step) < harmless * (x * (1.0 - x)) && next > 0.0 && next < 1.0 ? next : never;
  }

  struct Bracket {
    double from, to;     ///< places in the segment
    double first, last;  ///< duty less carrier there
  };
  /// Zero of duty less carrier in a bracket: secants, kept in it by bisection. They end where the next error, which is
  /// that of the last step times by how much it fell short of the one before it, is rounding.
  template <class DutyOfTime>
  [[nodiscard]] double root(const Bracket& within, DutyOfTime&& duty) const noexcept {
    const double first = within.first;
    if (!(first * within.last < 0.0)) return within.from;
    double left = within.from, right = within.to;   // the bracket
    double older = within.from, newer = within.to;  // the secant's two places
    double at_older = first, at_newer = within.last;
    double before = 1.0;  // the step before the last one
    for (int calls = 0;; ++calls) {
      double next = newer - at_newer * (newer - older) / (at_newer - at_older);
      if (!(next >= left && next <= right)) next = 0.5 * (left + right);
      const double step = std::fabs(next - newer);
      if (calls == 6 || step * step < 1e-17 * before) return next;
      before = std::fabs(newer - older);
      older = newer, at_older = at_newer;
      newer = next, at_newer = duty(time_at(segment, next)) - carrier(next);
      if (at_newer == 0.0) return newer;
      const bool on_the_left = (at_newer > 0.0) == (first > 0.0);
      left = on_the_left ? newer : left;
      right = on_the_left ? right : newer;
    }
  }
};

static_assert(std::is_trivially_copyable_v<PwmLeg> && std::is_standard_layout_v<PwmLeg>);

}  // namespace takt
