#pragma once
// Segments of a switched circuit: how states and integrals go on from one point to the next. switched.hpp tells the
// rule and its sources; it chooses the segments.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "runtime/solver/switched_network.hpp"

namespace takt::detail {

/// Real-time: every function is bounded; no heap, no system call.
template <class S>
class SwitchedSegments : protected SwitchedNetwork<S> {
 public:
  explicit SwitchedSegments(S& circuit) noexcept : Base(circuit) {}

 protected:
  using Base = SwitchedNetwork<S>;
  using Base::here, Base::ahead, Base::turn, Base::histories_at_rest, Base::settle, Base::key_fits, Base::after_edge;
  using Base::modes, Base::extent;
  using Base::s_, Base::window_t_, Base::half_, Base::key_, Base::stale_;
  using typename Base::Point;

  // --- what circuits with latched modes do in another way (latched_modes.hpp)
  void begin_step() noexcept {}
  void settle_at_start() noexcept {}
  void hold_step(double half, double middle) noexcept { Base::hold_inputs(half, middle); }

  /// The first `share` of the segment solved for.
  void accept_part(double share) noexcept {
    const double half = half_;
    Point &from = here(), &to = ahead();
    blend_point(to, from, share);
    accumulate_sum<S::state_count>(s_.x.data(), from.r.data(), to.r.data(), half * share);
    accumulate_sum<S::quadrature_count>(s_.q.data(), from.p.data(), to.p.data(), half * share);
    assign_sum<S::storage_count>(to.w.data(), s_.x.data(), to.r.data(), -half);  // solves to this very point
    turn();
  }
  /// Rates, integrands and indicators of a point so far on the way from another one to it.
  static void blend_point(Point& to, const Point& from, double share) noexcept {
    blend<S::state_count>(to.r.data(), from.r.data(), share);
    blend<S::quadrature_count>(to.p.data(), from.p.data(), share);
    blend<S::mode_count>(to.e.data(), from.e.data(), share);
  }
  /// From an edge to `end`, at most h later: two steps A and B of backward Euler of h/2 each, with modes that agree at
  /// their ends. Where the circuit is smooth over both, the rates' straight line through A and B is integrated instead
  /// (midpoint rule, order 2); where a fast mode decays, backward Euler stands, which damps it. Up to an `end` before B
  /// the next segment starts in the same way; and by backward Euler where a rate has collapsed from A to B, or the
  /// trapezoidal rule would ring with what is left of it: the voltage that made the currents of interrupted inductors
  /// equal.
  double restart(double begin, double end) noexcept {
    const Switches at_a = solve_two_points(begin, true);
    accept_points(at_a, end, end - begin, has_turned_since(at_a));
    return end;
  }

  struct Switches {
    std::uint64_t key;
    std::array<double, S::mode_count> modes;
  };
  [[nodiscard]] Switches switches() const noexcept {
    Switches now{.key = key_};
    std::copy_n(modes(), S::mode_count, now.modes.begin());
    return now;
  }
  [[nodiscard]] bool has_turned_since(const Switches& before) const noexcept {
    return key_fits ? before.key != key_ : !std::equal(before.modes.begin(), before.modes.end(), modes());
  }
  void return_to(const Switches& before) noexcept {
    std::copy_n(before.modes.begin(), S::mode_count, modes());
    key_ = before.key;
    stale_ = true;
  }
  /// A becomes the current point, B the one ahead. `watch`: for currents that the edge has cut off. @return the
  /// switches at A
  Switches solve_two_points(double begin, bool watch) noexcept {
    histories_at_rest();
    settle(begin + half_);
    turn();  // A is here, B will be ahead
    if constexpr (S::cut_off_count > 0)
      if (watch) s_.watch_currents(window_t_ + begin + half_, begin + half_, here().w.data(), here().r.data());
    assign_sum<S::storage_count>(ahead().w.data(), s_.x.data(), here().r.data(), half_);
    const Switches at_a = switches();
    settle(begin + 2.0 * half_);
    return at_a;
  }
  /// States, integrals and the current point go on for `length` to `end`, by A and B.
  void accept_points(const Switches& at_a, double end, double length, bool flipped) noexcept {
    const double first = std::min(length, half_);
    const bool smooth = !flipped && is_smooth() && !s_.damp;
    s_.damp = !smooth && has_collapsed();
    s_.restart = !smooth && (s_.damp || length < (2.0 - detail::snap) * half_);
    const bool joins = are_joined();
    if (smooth) {
      accept_line(length);
    } else {
      if (joins) lose_joined(here(), first);
      move(here(), first);
      if (length > half_) {
        if (joins) lose_joined(ahead(), length - half_);
        move(ahead(), length - half_);
        turn();
      } else if (flipped) {  // B lies beyond the end: its modes are not yet
        return_to(at_a);
      }
    }
    assign_sum<S::storage_count>(here().w.data(), s_.x.data(), here().r.data(), -half_);
    after_edge(end);
    if constexpr (S::loop_count > 0) s_.watch_loops();
    if constexpr (S::join_count > 0) s_.joining = s_.joining && s_.restart;
  }
  /// States and integrals go on for `length` at the rates of a point.
  void move(const Point& point, double length) noexcept {
    accumulate<S::state_count>(s_.x.data(), point.r.data(), length);
    accumulate<S::quadrature_count>(s_.q.data(), point.p.data(), length);
  }
  /// Whether no rate falls by more than half from A to B, that is, lambda*h <= 2; one that rises from zero in a
  /// straight line doubles. What is small beside its storage's largest value so far does not count.
  bool is_smooth() noexcept {
    bool smooth = true;
    for (std::size_t i = 0; i < S::storage_count; ++i) {
      const double a = std::fabs(here().r[i]), b = std::fabs(ahead().r[i]),
                   change = std::fabs(ahead().r[i] - here().r[i]);
      extent()[i] = std::max(extent()[i], std::fabs(s_.x[i]));
      const bool slow = change <= std::max(0.5 * a, 0.6 * b), small = change * half_ <= 1e-5 * extent()[i];
      smooth &= slow | small;  // without branches: they would be guessed wrong
    }
    return smooth;
  }
  // --- capacitors that gates join
  /// Whether gates have joined capacitors at this edge, and what backward Euler loses is the energy that this takes. It
  /// is not where an inductor's voltage does not stay from A to B: what would swing to and fro is damped away, and has
  /// gone nowhere.
  bool are_joined() noexcept {
    bool any = false;
    if constexpr (S::join_count > 0) {
      if (s_.watch_joins()) s_.joining = true;
      any = s_.joining;
      for (const std::size_t i : S::linkages) {
        const double a = here().r[i], b = ahead().r[i], change = std::fabs(b - a);
        any = any && (change <= 0.1 * std::fabs(a) || change * half_ <= 1e-5 * extent()[i]);
      }
    }
    return any;
  }
  /// Charges move at the voltages of the segment's end, which counts as taken up more than its capacitors then hold.
  void lose_joined([[maybe_unused]] const Point& point, [[maybe_unused]] double length) noexcept {
    if constexpr (S::join_count > 0) {
      const double factor = length * (half_ - 0.5 * length);
      if constexpr (requires { s_.rose; })
        s_.lose_joined(point.r.data(), ahead().r.data(), factor);
      else
        s_.lose_joined(point.r.data(), factor);
    }
  }
  /// Whether a rate that counts falls by ten and more from A to B.
  bool has_collapsed() const noexcept {
    const Point &a = s_.point[s_.now], &b = s_.point[1 - s_.now];
    bool any = false;
    for (std::size_t i = 0; i < S::storage_count; ++i)
      any = any || (std::fabs(b.r[i]) <= 0.1 * std::fabs(a.r[i]) && std::fabs(a.r[i]) * half_ > 1e-5 * extent()[i]);
    return any;
  }
  struct Line {
    double length, slope;
  };
  /// to += a*length + (b - a)*slope
  template <std::size_t n>
  static void accumulate_line(double* to, const double* a, const double* b, Line line) noexcept {
    combine<n>(to, a, b, [line](auto old, auto from, auto end) {
      return old + (from * line.length + (end - from) * line.slope);
    });
  }
  /// The straight line through the rates at A (h/2 after the edge) and B (h after it), integrated over `length` from
  /// the edge; its end becomes the current point.
  void accept_line(double length) noexcept {
    const double h = 2.0 * half_, slope = length * length / h - length, share = 2.0 * length / h - 1.0;
    Point &a = here(), &b = ahead();
    accumulate_line<S::state_count>(s_.x.data(), a.r.data(), b.r.data(), {length, slope});
    accumulate_line<S::quadrature_count>(s_.q.data(), a.p.data(), b.p.data(), {length, slope});
    blend_point(b, a, share);
    turn();
  }
};

}  // namespace takt::detail
