#pragma once
// Fixed-step solution of a switched circuit: the linearly implicit rule of EMTP programs on a companion network, with
// micro-steps cut exactly where a gate or a diode switches.
//
// Each storage z (charge or flux linkage) with rate r = dz/dt advances by
//   trapezoidal rule   z1 = w + r1*h/2,  w = z0 + r0*h/2          (order 2, no damping)
//   after an edge      two steps of backward Euler of h/2 each: z1 = w + r1*h/2, w = z0   (L-stable, the same matrix)
// so that one resistive network, with k = 2/h in it, serves both; backward Euler after edges damps what the trapezoidal
// rule would let ring (critical damping adjustment). Where nothing decays that fast, its two rates give the midpoint
// rule. Where an edge falls inside such a segment, the point at the edge is interpolated: between edges the circuit is
// smooth, so the error is of the rule's own order, and sums of z are kept. Thus every switch state has one
// factorisation per window, kept in a small cache. z is what is integrated: charge and flux are conserved to rounding
// whatever the switches do. Modes (a diode conducts) are those that agree with the circuit after the segment; the
// network is monotone, so flipping the lowest violated mode ends (Murty's least-index rule) where flipping all does
// not. Sources: H. W. Dommel, IEEE Trans. PAS-88(4), 1969; J. Lin, J. R. Marti, IEEE Trans. Power Systems 5(2), 1990
// (CDA); K. G. Murty, Opsearch 11, 1974.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "runtime/plant/window.hpp"
#include "runtime/solver/concepts.hpp"
#include "runtime/solver/latched_modes.hpp"

namespace takt {

/// Between two windows.
struct SwitchedInstant {
  double t = 0.0, s = 0.0;  ///< simulated time; after the start of the window that has ended. s
  double step = 0.0;        ///< micro-step, s
};

namespace detail {

template <class S>
using SegmentsOf = std::conditional_t<(S::latched_count > 0), LatchedModes<S>, SwitchedSegments<S>>;

/// Solves one window of S. S is emitted; its members are named in codegen/emit/switched_functions.cpp.
/// Two points, S::point[now] and the other, take turns: a segment is solved into the other one and counts when it
/// becomes the current one. While full steps follow each other nothing but the histories advances (v = w + r*h, the
/// next step's w); states and integrals are brought up to date when that ends (close_run).
template <class S>
class SwitchedSolver : private SegmentsOf<S> {
 public:
  explicit SwitchedSolver(S& circuit) noexcept : Base(circuit) {}

  /// Values at simulated time 0 that agree with the start values: a step so short that no storage moves.
  void start(double step_s) noexcept {
    for (const double share :
         {1e-6, 1e-3, 1.0}) {  // a longer one where the short one makes storages too stiff for doubles
      solve_from_rest(share * step_s);
      if (is_finite(ahead())) break;
    }
    begin_here();
  }

  /// Rates of half a step of backward Euler from the states: zero where the states rest, exactly, and smooth where they
  /// do not.
  void rates(double step_s, double* to) noexcept {
    solve_from_rest(step_s);
    begin_here();
    for (std::size_t i = 0; i < S::state_count; ++i) to[i] = here().r[i];
  }

  /// Parameters have been changed at an instant between windows: as after an edge. States stay; what follows from them
  /// and from gates and modes is found by a step so short that no storage moves.
  void resume(const SwitchedInstant& at) noexcept {
    window_t_ = at.t - at.s;
    for (const double share : {1e-6, 1e-3, 1.0}) {
      hold_step(0.5 * share * at.step, at.s);
      read_key();
      histories_at_rest();
      settle(at.s);
      if (is_finite(ahead())) break;
    }
    turn();
    s_.restart = true;
  }

  void run(const Window& w) noexcept {
    const double h = static_cast<double>(w.step_ns) * 1e-9;
    window_t_ = static_cast<double>(w.start_ns) / 1e9;
    for (std::size_t m = 0; m < S::quadrature_count; ++m) s_.q[m] = 0.0;
    read_key();
    hold_step(0.5 * h, 0.5 * h * w.steps);
    s_.command_gates(window_t_);
    if (update_gates(0.0)) s_.restart = true;
    std::int32_t quiet = 0;  // micro-steps before this one hold no gate edge
    for (std::int32_t step = 0; step < w.steps; ++step) {
      const double end = static_cast<double>((step + 1) * w.step_ns) / 1e9;
      if (step >= quiet) quiet = quiet_until(step, w, h);
      if constexpr (has_whole_steps) {
        if (step < quiet && !s_.restart) {
          step += whole_steps(step, quiet, w);
          if (step == quiet) {
            --step;
            continue;
          }
        }
      } else {
        const double begin = static_cast<double>(step * w.step_ns) / 1e9;
        if (step < quiet && !s_.restart && gates_quiet(begin, end) && full_step(end, h)) continue;
      }
      close_run(h);
      cut_step(static_cast<double>(step * w.step_ns) / 1e9, static_cast<double>((step + 1) * w.step_ns) / 1e9);
    }
    close_run(h);
  }

 private:
  using Base = SegmentsOf<S>;
  using Base::before_edge, Base::count;
  using Base::begin_step, Base::accept_part, Base::restart, Base::settle_at_start;
  using Base::free_count, Base::is_violated, Base::flip, Base::is_finite, Base::settle, Base::iterate_points,
      Base::has_jumped, Base::return_points;
  using Base::here, Base::ahead, Base::turn;
  using Base::hold_step, Base::read_key, Base::key_fits, Base::factor, Base::histories, Base::histories_at_rest;
  using Base::next_edge, Base::apply_edges, Base::gates_moved_by, Base::find_gate_edge, Base::update_gates;
  using Base::s_, Base::window_t_, Base::half_, Base::key_, Base::stale_;
  using Base::solve, Base::solve_from;
  using Base::sources_turn, Base::next_source_turn, Base::read_sources_in, Base::read_sources_anywhere;
  using typename Base::Point;

  // --- simulated time 0
  void solve_from_rest(double step_s) noexcept {
    hold_step(0.5 * step_s, 0.0);
    s_.start_gates(0.0);
    read_key();
    update_gates(0.0);
    histories_at_rest();
    settle(0.0);
    settle_at_start();
  }
  void begin_here() noexcept {
    turn();
    s_.edge_pending = false;
    s_.restart = true;
    s_.events = {};
  }

  /// Whether S computes whole steps by itself: where nothing but histories advances, and edges are known ahead.
  static constexpr bool has_whole_steps = !S::gates_follow_time && requires(S & s, double* to) {
    s.whole_steps(0, to, to, to);
  };
  /// Whole micro-steps from `first` on, up to `until`; fewer where a mode does not agree. @return how many
  std::int32_t whole_steps(std::int32_t first, std::int32_t until, const Window& w) noexcept {
    if (stale_) factor();
    double from[room(S::storage_count)], before[room(S::storage_count)];  // histories of the next step, of the last one
    if (in_run_) {
      std::copy_n(here().v.data(), S::storage_count, from);
    } else {
      assign_sum<S::storage_count>(from, s_.x.data(), here().r.data(), half_);
      combine<S::quadrature_count>(sum_, here().p.data(), here().p.data(),
                                   [](auto, auto first, auto) { return 0.5 * first; });
    }
    const auto end_of = [&](std::int32_t step) { return static_cast<double>((step + 1) * w.step_ns) / 1e9; };
    std::int32_t step = first + s_.whole_steps(until - 1 - first, from, before, sum_);
    if (step == until - 1 && !solve_from(from, end_of(step))) {  // the last one leaves the point where it ends
      accumulate<S::quadrature_count>(sum_, ahead().p.data());
      ++step;
    } else if (step > first) {
      solve_from(before, end_of(step - 1));
    }
    if (step == first) return 0;
    turn();
    in_run_ = true;
    return step - first;
  }
  /// One whole micro-step of the trapezoidal rule; false where a mode does not agree: then nothing has happened.
  bool full_step(double end, double h) noexcept {
    if (stale_) factor();
    if (!in_run_) {
      histories();
      for (std::size_t m = 0; m < S::quadrature_count; ++m) sum_[m] = 0.5 * here().p[m];
    }
    bool agrees;
    if constexpr (S::point_count > 0) {
      if (in_run_) ahead().w = here().v;
      agrees = !solve(end);
      const auto points = s_.points;
      agrees = iterate_points(end) && !has_jumped(points);
      if (!agrees) return_points(points);
    } else {  // straight from where the last solution put them: no copy on the way from step to step
      agrees = !solve_from(in_run_ ? here().v.data() : ahead().w.data(), end);
    }
    if (!agrees) return false;
    for (std::size_t i = S::storage_count; i < S::state_count; ++i) s_.x[i] += (here().r[i] + ahead().r[i]) * half_;
    accumulate<S::quadrature_count>(sum_, ahead().p.data());
    turn();
    in_run_ = true;
    return true;
  }
  /// Brings states and integrals to the end of the whole steps done so far.
  void close_run(double h) noexcept {
    if (!in_run_) return;
    in_run_ = false;
    assign_sum<S::storage_count>(s_.x.data(), here().v.data(), here().r.data(), -half_);
    assign_sum<S::storage_count>(here().w.data(), s_.x.data(), here().r.data(), -half_);
    combine<S::quadrature_count>(s_.q.data(), sum_, here().p.data(),
                                 [h](auto old, auto sum, auto last) { return old + (sum - 0.5 * last) * h; });
  }

  /// First micro-step from `step` on that may hold a gate edge.
  std::int32_t quiet_until(std::int32_t step, const Window& w, double h) noexcept {
    const std::int32_t ahead = std::min(step + detail::horizon, w.steps);
    const double until = static_cast<double>(ahead * w.step_ns) / 1e9;
    const double edge = next_edge(until), turn = next_source_turn(h * (step - detail::snap));
    if (edge >= until && turn > until + detail::snap * h) return ahead;  // also what ends where a source jumps is cut
    return std::max(step, static_cast<std::int32_t>(std::floor(std::min(edge, turn) / h - detail::snap)));
  }

  bool gates_quiet(double begin, double end) noexcept {
    if constexpr (!S::gates_follow_time) return true;
    return gates_moved_by(begin, end) > end;
  }

  // --- one micro-step with edges
  void cut_step(double begin, double end) noexcept {
    const double eps = detail::snap * (end - begin);
    constexpr int bound = 16 + 4 * static_cast<int>(S::mode_count + S::gate_count);
    double at = begin;
    begin_step();
    for (int segment = 0; segment < bound; ++segment) {
      const double edge = next_edge(end);
      const double seen_until = (S::sampled_edges ? begin : at) + eps;
      if (edge <= seen_until) {
        apply_edges();
        if (update_gates(at)) s_.restart = true;
        continue;
      }
      double stop = edge < end - eps && !S::sampled_edges ? edge : end;
      if constexpr (sources_turn) stop = std::min(stop, until_sources_turn(at, end));
      if constexpr (S::gates_follow_time) {
        if ((!S::sampled_edges || at == begin) && update_gates(at + 1e-3 * eps)) s_.restart = true;
        if constexpr (!S::sampled_edges) stop = find_gate_edge(at, stop);
        if (stop >= end - eps) stop = end;
      }
      at = s_.restart ? restart(at, stop) : advance(at, stop);
      if (at >= end - eps) return read_sources_anywhere();
    }
    count(SwitchedEvent::crowded);
    restart(at, end);
    read_sources_anywhere();
  }
  /// What begins where a source jumps or bends begins as after an edge, and is solved with sources as they are up to
  /// the next such instant. @return that instant, or `end`
  double until_sources_turn(double at, double end) noexcept {
    const double h = 2.0 * half_, eps = detail::snap * h;
    if (next_source_turn(at - eps) <= at + eps) s_.restart = true;
    const double turn = next_source_turn(at + eps);
    read_sources_in(at, std::min(turn, at + 4.0 * h));
    return turn < end - eps ? turn : end;
  }

  /// Trapezoidal segment up to the first instant at which a mode changes. @return where it ends
  double advance(double begin, double end) noexcept {
    const double length = 2.0 * half_;
    if (stale_) factor();
    histories();
    bool agrees = !solve(begin + length);
    if constexpr (S::point_count > 0) {
      const auto points = s_.points;
      agrees = iterate_points(begin + length);
      if (has_jumped(points)) {  // a nonlinear element has switched: as after an edge
        return_points(points);
        s_.restart = true;
        return begin;
      }
    }
    if constexpr (S::latched_count > 0)
      if (!agrees && this->latched_first([this](std::size_t m) { return crossing_of(m); })) return restart(begin, end);
    const double share = std::min(1.0, (end - begin) / length);
    const double theta = agrees ? share : std::min(share, first_crossing());
    if (theta >= share) {
      accept_part(share);
      return end;
    }
    bool due[room(free_count)];
    for (std::size_t m = 0; m < free_count; ++m) due[m] = is_violated(m) && crossing_of(m) <= theta + detail::snap;
    const double crossing = begin + theta * length;
    if (theta > detail::snap) accept_part(theta);
    before_edge(crossing);
    for (std::size_t m = 0; m < free_count; ++m)
      if (due[m]) flip(m);
    s_.restart = true;
    return crossing;
  }
  /// Part of the segment after which the indicator of a violated mode reaches zero, by linear interpolation.
  double crossing_of(std::size_t mode) noexcept {
    const double from = here().e[mode], to = ahead().e[mode];
    return from < 0.0 ? from / (from - to) : 0.0;
  }
  double first_crossing() noexcept {
    double theta = 1.0;
    for (std::size_t m = 0; m < free_count; ++m)
      if (is_violated(m)) theta = std::min(theta, crossing_of(m));
    return theta;
  }

  bool in_run_ = false;                      ///< whole steps since the states were last brought up to date
  double sum_[room(S::quadrature_count)]{};  ///< of the integrands at the points of this run, the first one halved
};

}  // namespace detail

/// Values of a switched circuit at t = 0. S as emitted for switched circuits.
/// Real-time: bounded, three times settle(); called before the run.
template <SwitchedCircuit S>
inline void start_switched(S& s, double step_s) noexcept {
  detail::SwitchedSolver<S>(s).start(step_s);
}

/// Rates for a steady start, gates at their levels of simulated time 0. S without operating points: they settle to a
/// tolerance only. Real-time: bounded, once settle(); called before the run.
template <SwitchedCircuit S>
inline void rates_switched(S& s, double step_s, double* rates) noexcept {
  static_assert(S::point_count == 0);
  detail::SwitchedSolver<S>(s).rates(step_s, rates);
}

/// Coefficients have been changed. half_step of S is 0: no factorisation fits any more.
/// Real-time: bounded, three times settle().
template <SwitchedCircuit S>
inline void resume_switched(S& s, const SwitchedInstant& at) noexcept {
  detail::SwitchedSolver<S>(s).resume(at);
}

/// Computes one window of a switched circuit.
/// Real-time: bounded by w.steps * (16 + 4*(modes + gates)) segments, each at most twice settle() of
/// switched_network.hpp; no heap, no system call.
template <SwitchedCircuit S>
inline void run_switched(S& s, const Window& w) noexcept {
  detail::SwitchedSolver<S>(s).run(w);
}

}  // namespace takt
