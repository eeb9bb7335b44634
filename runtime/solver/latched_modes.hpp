#pragma once
// Modes that remember: hysteresis, a threshold on another element's current, a thyristor with holding current. What
// they read is continuous where storages hold it, so they keep still while the other modes settle and turn one at a
// time, where their own indicator crosses zero (codegen/topology/mode_kinds.hpp tells which they are).
//
// After an edge a segment may hold the next crossing, behind a transient much faster than the step: a switch discharges
// a capacitor in nanoseconds and opens again. There the segment is cut into parts, each a quarter as long as the last
// until the straight line through its two points A and B follows the states, and twice as long again behind it. On that
// line crossings are located. Bounded: a mode that turns back at once, again and again, chatters (X030); one that uses
// up the parts or turns of a micro-step is faster than the step can follow (X031). Both keep still until the micro-step
// ends.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "runtime/solver/switched_segments.hpp"

namespace takt::detail {

inline constexpr int parts_of_segment = 128;      ///< bound of solutions for A and B after an edge
inline constexpr double shortest_part = 0x1p-14;  ///< of a step
inline constexpr double resolved_fall = 0.1;      ///< of a rate from A to B: lambda*h = 0.2
inline constexpr double resolved_change =
    2e-4;  ///< of a storage's extent: a rate may change by this over half a part, however steeply
inline constexpr double approach = 0.25;  ///< of an indicator: a faster rise may end in a crossing
inline constexpr int most_turns = 24;     ///< of one mode in a micro-step
inline constexpr int turns_at_once = 3;   ///< of one mode, each within the shortest part of the last: it chatters

/// Real-time: restart() is bounded by parts_of_segment times two settle(); no heap, no system call.
template <class S>
class LatchedModes : protected SwitchedSegments<S> {
 public:
  explicit LatchedModes(S& circuit) noexcept : Base(circuit) {}

 protected:
  using Base = SwitchedSegments<S>;
  using Base::here, Base::ahead, Base::turn, Base::hold_inputs, Base::settle, Base::before_edge;
  using Base::s_, Base::window_t_, Base::half_, Base::stale_, Base::free_count, Base::extent, Base::time_of;
  using Base::solve_two_points, Base::accept_points, Base::switches, Base::has_turned_since, Base::return_to;
  using typename Base::Point, typename Base::Switches;

  // --- which mode turns
  /// Micro-steps begin with all modes free to turn.
  void begin_step() noexcept { track_ = {}; }
  [[nodiscard]] bool is_violated(std::size_t mode) noexcept { return Base::is_violated(mode) && !is_still(mode); }
  [[nodiscard]] bool is_still(std::size_t mode) const noexcept {
    return mode >= free_count && track_[mode - free_count].still;
  }
  /// Whether the first mode that changes in the segment solved for is a latched one: then restart() finds out where.
  template <class CrossingOf>
  [[nodiscard]] bool latched_first(CrossingOf&& crossing_of) noexcept {
    double free = 2.0, latched = 2.0;
    for (std::size_t m = 0; m < S::mode_count; ++m) {
      double& first = m < free_count ? free : latched;
      if (is_violated(m)) first = std::min(first, crossing_of(m));
    }
    return latched <= std::min(free, 1.0);
  }
  void flip_at(std::size_t mode, double at) noexcept {
    Base::flip(mode);
    if (mode < free_count) return;
    Track& track = track_[mode - free_count];
    track.at_once = at - track.turned <= shortest_part * step_ ? track.at_once + 1 : 0;
    track.turned = at;
    if (++track.turns >= most_turns) keep_still(mode, LatchedEvent::too_fast);
    if (track.at_once >= turns_at_once) keep_still(mode, LatchedEvent::chatters);
  }

  // --- simulated time 0
  /// Latched modes that do not agree with the start values turn, one at a time.
  void settle_at_start() noexcept {
    for (std::size_t turns = 0; turns < 2 * S::latched_count; ++turns) {
      std::size_t m = free_count;
      while (m < S::mode_count && !(ahead().e[m] > rounding)) ++m;
      if (m == S::mode_count) return;
      Base::flip(m);
      settle(0.0);
    }
  }

  // --- segments after an edge
  void hold_step(double half, double middle) noexcept {
    step_ = 2.0 * half;
    middle_ = middle;
    hold_inputs(half, middle);
  }
  double restart(double begin, double end) noexcept {
    const double eps = snap * step_;
    double at = begin, length = step_;
    bool whole = true;  // the last part is a whole step or all that was left
    bool edge = true;   // it begins at an edge
    for (int part = 0; part < parts_of_segment && at < end - eps; ++part) {
      hold_inputs(0.5 * length, middle_);
      const Mark mark = here_now();
      const Switches at_a = solve_two_points(at, edge);
      edge = false;
      const bool flipped = has_turned_since(at_a), resolved = !flipped && is_resolved();
      if (!resolved && length > shortest_part * step_ && approaching() < S::mode_count) {
        return_to_mark(mark);
        length = std::max(0.25 * length, shortest_part * step_);
        continue;
      }
      const double rest = std::min(length, end - at);
      const Crossing crossing = resolved ? first_on_line(at, rest) : at_end(rest);
      whole = length >= step_;
      if (resolved) s_.damp = false;  // nothing here that could ring
      if (crossing.after > eps * shortest_part || crossing.mode == S::mode_count) {
        accept_points(at_a, at + crossing.after, crossing.after, flipped);
        at = at + crossing.after >= end - eps ? end : at + crossing.after;
      } else {
        return_to_mark(mark);
      }
      if (crossing.mode < S::mode_count) {
        point_histories();
        before_edge(at);
        flip_at(crossing.mode, at);
        length = step_;
        whole = false;
        edge = true;
      } else if (resolved) {
        length = std::min(step_, 2.0 * length);
      }
    }
    hold_inputs(0.5 * step_, middle_);
    point_histories();
    s_.restart = s_.restart || !whole;
    if (at < end - eps) {
      keep_fastest_still();
      Base::restart(at, end);
    }
    return end;
  }

 private:
  enum class LatchedEvent : std::uint8_t { chatters, too_fast };
  struct Track {                                               ///< of one latched mode in this micro-step
    double turned = -std::numeric_limits<double>::infinity();  ///< when last, s into the window
    int turns = 0, at_once = 0;
    bool still = false;
  };
  struct Crossing {
    double after = 0.0;                ///< the beginning of the part, s
    std::size_t mode = S::mode_count;  ///< none
  };
  struct Mark {
    Switches switches;
    Point point;
    std::array<double, S::point_count> points;
  };
  [[nodiscard]] Mark here_now() noexcept {
    Mark mark{switches(), here(), {}};
    if constexpr (S::point_count > 0) mark.points = s_.points;
    return mark;
  }
  void return_to_mark(const Mark& mark) noexcept {
    here() = mark.point;
    if constexpr (S::point_count > 0) s_.points = mark.points;
    return_to(mark.switches);
  }

  /// With them the current point is solved for again, by the present half step.
  void point_histories() noexcept {
    for (std::size_t i = 0; i < S::storage_count; ++i) here().w[i] = s_.x[i] - here().r[i] * half_;
  }

  void keep_still(std::size_t mode, LatchedEvent event) noexcept {
    Track& track = track_[mode - free_count];
    if (track.still) return;
    track.still = true;
    constexpr std::size_t first = switched_event_count + S::loop_count + S::cut_off_count;
    s_.events[first + 2 * (mode - free_count) + static_cast<std::size_t>(event)] += 1.0;
    s_.alert = 1.0;
  }
  void keep_fastest_still() noexcept {
    std::size_t fastest = 0;
    for (std::size_t k = 1; k < S::latched_count; ++k)
      if (track_[k].turns > track_[fastest].turns) fastest = k;
    keep_still(free_count + fastest, LatchedEvent::too_fast);
  }

  /// Whether the line through A and B follows the states: what it leaves out is of the order of the square of the
  /// change.
  [[nodiscard]] bool is_resolved() noexcept {
    if (!this->is_smooth()) return false;
    bool fine = true;
    for (std::size_t i = 0; i < S::storage_count; ++i) {
      const double a = here().r[i], b = ahead().r[i], change = std::fabs(b - a);
      fine = fine && (change <= resolved_fall * std::fabs(a) || change * half_ <= resolved_change * extent()[i]);
    }
    return fine;
  }
  /// First latched mode that turns between A and B, or whose indicator rises so fast that it may have; mode_count where
  /// none does.
  [[nodiscard]] std::size_t approaching() noexcept {
    for (std::size_t m = free_count; m < S::mode_count; ++m) {
      const double a = here().e[m], b = ahead().e[m];
      if (!is_still(m) && (a > 0.0 || b > 0.0 || 2.0 * a - b > 0.0 || b - a > approach * std::fabs(b))) return m;
    }
    return S::mode_count;
  }
  /// Where, up to `until`, the first latched mode turns as the states follow the line of their rates through A and B:
  ///   e(s) = e0 + a*s + (b - a)*(s^2/h - s),  a = (eA - e0)/(h/2), b = (eB - eA)/(h/2)
  [[nodiscard]] Crossing first_on_line(double begin, double until) noexcept {
    Crossing first{until};
    if (approaching() == S::mode_count) return first;
    const auto at_begin = indicators_at(begin);
    for (std::size_t m = free_count; m < S::mode_count; ++m) {
      if (is_still(m)) continue;
      const double e0 = at_begin[m], a = (here().e[m] - e0) / half_, b = (ahead().e[m] - here().e[m]) / half_;
      const double square = 0.5 * (b - a) / half_, linear = 2.0 * a - b, stop = e0 + (linear + square * until) * until;
      if (e0 <= 1e-9 * (std::fabs(here().e[m]) + std::fabs(ahead().e[m])) + rounding && stop <= 0.0) continue;
      const double root = linear + std::sqrt(std::max(linear * linear - 4.0 * square * e0, 0.0));
      const double after = e0 >= 0.0 ? 0.0 : root > 0.0 ? std::min(until, -2.0 * e0 / root) : until;
      if (first.mode == S::mode_count || after < first.after) first = {after, m};
    }
    return first;
  }
  /// At the states as they are, where the rates' line begins.
  [[nodiscard]] auto indicators_at(double begin) noexcept {
    Point start;
    for (std::size_t i = 0; i < S::storage_count; ++i)
      start.w[i] = s_.x[i] - (2.0 * here().r[i] - ahead().r[i]) * half_;
    s_.solve(time_of(begin), begin, start.w.data(), start.r.data(), start.v.data(), start.p.data(), start.e.data());
    return start.e;
  }
  /// The part is too short to look into: the first latched mode that does not agree behind it.
  [[nodiscard]] Crossing at_end(double until) noexcept {
    const Point& reached = until > half_ ? ahead() : here();
    Crossing first{until};
    for (std::size_t m = free_count; m < S::mode_count && first.mode == S::mode_count; ++m)
      if (!is_still(m) && reached.e[m] > 0.0) first.mode = m;
    return first;
  }

  double step_ = 0.0, middle_ = 0.0;  ///< micro-step and middle of the window, s
  std::array<Track, room(S::latched_count)> track_{};
};

}  // namespace takt::detail
