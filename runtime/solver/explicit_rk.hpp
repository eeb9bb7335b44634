#pragma once
// Explicit Runge-Kutta methods with a fixed step, for x' = f(t, x), and quadratures q = integral of g(t, x) over one
// window by the method's own weights, so that what a subsystem sends is what its method integrates.
//
//   k_i = f(t + c_i h, x + h * sum_{j<i} a_ij k_j),   x += h * sum_i b_i k_i,   q += h * sum_i b_i g_i
//
// Source: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, 2nd ed., table II.1.1 (Heun of order 2,
// the trapezoidal form) and table II.1.2 (the Runge-Kutta method of order 4); W. Kutta, Z. Math. Phys. 46 (1901) for
// order 3.

#include <cstddef>
#include <cstdint>

#include "runtime/plant/window.hpp"
#include "runtime/solver/concepts.hpp"
#include "runtime/solver/sizes.hpp"
#include "runtime/solver/state_events.hpp"
#include "runtime/solver/time_instants.hpp"
#include "runtime/solver/travel_delay.hpp"

namespace takt {

/// Tableaus: a, c as usual; b_i = weight[i] / divisor with whole weights, so that a constant g integrates without bias.
struct Euler {
  static constexpr int order = 1, stages = 1;
  static constexpr double a[1][1] = {{0.0}};
  static constexpr double c[1] = {0.0};
  static constexpr double weight[1] = {1.0};
  static constexpr double divisor = 1.0;
};

struct Heun {
  static constexpr int order = 2, stages = 2;
  static constexpr double a[2][2] = {{0.0, 0.0}, {1.0, 0.0}};
  static constexpr double c[2] = {0.0, 1.0};
  static constexpr double weight[2] = {1.0, 1.0};
  static constexpr double divisor = 2.0;
};

struct Rk3 {
  static constexpr int order = 3, stages = 3;
  static constexpr double a[3][3] = {{0.0, 0.0, 0.0}, {0.5, 0.0, 0.0}, {-1.0, 2.0, 0.0}};
  static constexpr double c[3] = {0.0, 0.5, 1.0};
  static constexpr double weight[3] = {1.0, 4.0, 1.0};
  static constexpr double divisor = 6.0;
};

struct Rk4 {
  static constexpr int order = 4, stages = 4;
  static constexpr double a[4][4] = {
      {0.0, 0.0, 0.0, 0.0}, {0.5, 0.0, 0.0, 0.0}, {0.0, 0.5, 0.0, 0.0}, {0.0, 0.0, 1.0, 0.0}};
  static constexpr double c[4] = {0.0, 0.5, 0.5, 1.0};
  static constexpr double weight[4] = {1.0, 2.0, 2.0, 1.0};
  static constexpr double divisor = 6.0;
};

namespace detail {

template <class Method, std::size_t n, class Real>
struct Stages {
  explicit Stages(std::size_t states) noexcept(n != at_run_time) : k(states), x(states) {}
  StageNumbers<n, Method::stages, Real> k;
  Numbers<n, Real> x;
};

/// Argument of stage i: x + h * sum_{j<i} a_ij k_j, terms with a_ij = 0 left out at compile time.
template <class Method, int stage, int j, std::size_t n, class Real>
inline void add_terms(Stages<Method, n, Real>& w, double h, auto states) noexcept {
  if constexpr (j < stage) {
    if constexpr (Method::a[stage][j] != 0.0) {
      const double factor = h * Method::a[stage][j];
      for (std::size_t m = 0; m < states; ++m) w.x[m] += factor * w.k[j][m];
    }
    add_terms<Method, stage, j + 1>(w, h, states);
  }
}

/// Rates of quadratures, and what has come together of them.
template <std::size_t nq, class Real>
struct Quadratures {
  explicit Quadratures(std::size_t count) noexcept(nq != at_run_time) : rate(count), sum(count) {}
  Numbers<nq, Real> rate, sum;
};

/// All stages of one step; quadrature rates are added to their sum with their weights, not yet times h/divisor.
template <class Method, int stage, class S, std::size_t n, std::size_t nq, class Real>
inline void run_stages(S& s, Stages<Method, n, Real>& w, const StepStart& step, Quadratures<nq, Real>& q) noexcept {
  if constexpr (stage < Method::stages) {
    const auto states = states_of(s);
    for (std::size_t m = 0; m < states; ++m) w.x[m] = s.x[m];
    add_terms<Method, stage, 0>(w, step.h, states);
    const double later = Method::c[stage] * step.h;
    s.evaluate(step.t + later, step.offset + later, w.x.data(), w.k[stage].data(), q.rate.data());
    for (std::size_t m = 0; m < quadratures_of(s); ++m) q.sum[m] += Method::weight[stage] * q.rate[m];
    run_stages<Method, stage + 1>(s, w, step, q);
  }
}

template <class Method, int stage, std::size_t n, class Real>
inline Real weighted(const Stages<Method, n, Real>& w, std::size_t m) noexcept {
  if constexpr (stage == 0) {
    return Method::weight[0] * w.k[0][m];
  } else {
    return weighted<Method, stage - 1>(w, m) + Method::weight[stage] * w.k[stage][m];
  }
}

}  // namespace detail

/// Computes one window with `Method`. S has
///   static constexpr std::size_t state_count, quadrature_count;   or at_run_time (sizes.hpp)
///   double x[state_count]        states, advanced in place
///   double q[quadrature_count]   set to the integrals over this window
///   void evaluate(double t, double s_in_window, const double* x, double* dx, double* dq) noexcept;
///       t simulated seconds since start, s_in_window seconds since the window's start; writes every dx and dq.
/// (arrays of size 1 where a count is 0.) S::Number, where there is one, stands for double in states and quadratures.
/// Times come from whole nanoseconds at each step, so they do not drift; divided, so that 0.3 s is the literal 0.3.
/// Quadratures are summed in blocks of 64 steps, then over blocks: rounding grows with 64 + steps/64 instead of steps.
/// Where functions of the time jump or bend, steps are cut (time_instants.hpp).
/// Real-time: bounded by w.steps * stages evaluations, times most_pieces where steps are cut; no heap, no system call.
template <class Method, Stepped S>
inline void run(S& s, const Window& w) noexcept {
  const auto n = states_of(s);
  const auto nq = quadratures_of(s);
  constexpr std::int32_t block = 64;
  const double h = static_cast<double>(w.step_ns) * 1e-9;
  const double scale = h / Method::divisor;
  using Real = Number<S>;
  Numbers<S::quadrature_count, Real> total(nq);
  detail::Quadratures<S::quadrature_count, Real> q(nq);
  for (std::size_t m = 0; m < nq; ++m) total[m] = Real{};
  detail::Stages<Method, S::state_count, Real> stages(n);
  detail::EventStepsOf<S> events(s);
  for (std::int32_t step = 0; step < w.steps;) {
    for (std::size_t m = 0; m < nq; ++m) q.sum[m] = Real{};
    for (const std::int32_t end = w.steps - step < block ? w.steps : step + block; step < end; ++step) {
      const std::int64_t passed_ns = step * w.step_ns;
      const double offset = static_cast<double>(passed_ns) / 1e9;
      const double t = static_cast<double>(w.start_ns + passed_ns) / 1e9;
      step_begins(s, w, step);
      if constexpr (detail::HasEvents<S>) {
        const auto advance = [&](const detail::Part& part, auto& rates) noexcept {
          detail::Quadratures<S::quadrature_count, Real> of_part(nq);
          for (std::size_t m = 0; m < nq; ++m) of_part.sum[m] = Real{};
          detail::run_stages<Method, 0>(s, stages, {t + part.from, offset + part.from, part.length}, of_part);
          for (std::size_t m = 0; m < n; ++m)
            s.x[m] += part.length / Method::divisor * detail::weighted<Method, Method::stages - 1>(stages, m);
          for (std::size_t m = 0; m < nq; ++m) rates[m] = of_part.sum[m];
        };
        detail::step_with_events(events, {t, offset, h}, advance, q.sum);
        step_ended(s, w, step);
        continue;
      }
      bool whole = true;
      if constexpr (detail::CutsSteps<S>) whole = detail::is_whole(s, t, h);
      if (whole) {
        detail::run_stages<Method, 0>(s, stages, {t, offset, h}, q);
        for (std::size_t m = 0; m < n; ++m) s.x[m] += scale * detail::weighted<Method, Method::stages - 1>(stages, m);
      } else if constexpr (detail::CutsSteps<S>) {
        detail::in_pieces(s, t, h, [&](double from, double length) noexcept {
          detail::Quadratures<S::quadrature_count, Real> part(nq);
          for (std::size_t m = 0; m < nq; ++m) part.sum[m] = Real{};
          detail::run_stages<Method, 0>(s, stages, {t + from, offset + from, length}, part);
          for (std::size_t m = 0; m < n; ++m)
            s.x[m] += length / Method::divisor * detail::weighted<Method, Method::stages - 1>(stages, m);
          for (std::size_t m = 0; m < nq; ++m) q.sum[m] += part.sum[m] * (length / h);
        });
      }
      step_ended(s, w, step);
    }
    for (std::size_t m = 0; m < nq; ++m) total[m] += q.sum[m];
  }
  for (std::size_t m = 0; m < nq; ++m) s.q[m] = total[m] * scale;
  if constexpr (detail::ReadsInside<S>) s.inside = {};
}

}  // namespace takt
