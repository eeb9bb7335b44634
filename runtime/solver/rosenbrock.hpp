#pragma once
// Linearly implicit methods with one factorisation a step, for circuits with modes that no explicit step can carry.
// L-stable.
//
//   ros1   (I - h J) k = f(t + h, x),  x += h k                                    order 1 (linearly implicit Euler)
//   ros2   (I - g h J) k1 = f(t + g h, x)
//          (I - g h J) k2 = f(t + (1 - g) h, x + h k1) - 2 k1,  x += h (3 k1 + k2)/2      order 2, g = 1 - 1/sqrt(2)
//
// J = df/dx at the first argument. The times of the stages stand for the terms +-g h df/dt, so that a stiff circuit
// follows its sources with order 2, too. ros2 keeps its order with any J: what Newton blocks leave does no harm. A
// quadrature q' = g(t, x) is integrated as one more state on which nothing depends: k_q = g + g h (dg/dx) k. So a sum
// of states that only a sent flux changes stays equal to what was sent, to rounding.
//
// Sources: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, 2nd ed., sec. IV.7; J. G. Verwer, E. J.
// Spee, J. G. Blom, W. Hundsdorfer, A second-order Rosenbrock method applied to photochemical dispersion problems, SIAM
// J. Sci. Comput. 20 (1999), eq. (1.2). Limits: pivots are taken in a fixed order. A transient that lasts a small part
// of a step is damped at once; powers, which are no linear function of the states, are integrated wrongly over that
// step.

#include "runtime/solver/window_steps.hpp"

namespace takt {

template <int order>
inline constexpr double rosenbrock_gamma = order == 1 ? 1.0 : 0.29289321881345254;  // 1 - 1/sqrt(2)

/// Computes one window. S as in explicit_rk.hpp, and
///   void linearise(double t, double s, const double* x, double* dx, double* dq) noexcept;   as evaluate(), and keeps J
///   and dg/dx void factor(double gh) noexcept;                                of I - gh*J void solve(double* b) const
///   noexcept;                           with it void quadrature_slopes(const double* k, double* dq) const noexcept; dq
///   = dg/dx * k
/// Real-time: a factorisation and `order` evaluations and solutions a step; no heap, no system call.
template <int order, LinearlyImplicit S>
inline void run_rosenbrock(S& self, const Window& w) noexcept {
  static_assert(order == 1 || order == 2);
  constexpr double gamma = rosenbrock_gamma<order>;
  const auto n = states_of(self);
  const auto nq = quadratures_of(self);
  using States = Numbers<S::state_count>;
  using Quadratures = Numbers<S::quadrature_count>;
  run_steps(self, w, [&](double t, double offset, double h, auto& sum) noexcept {
    States k1(n);
    Quadratures first(nq), slope(nq);
    self.linearise(t + gamma * h, offset + gamma * h, &self.x[0], k1.data(), first.data());
    self.factor(gamma * h);
    self.solve(k1.data());
    self.quadrature_slopes(k1.data(), slope.data());
    for (std::size_t m = 0; m < nq; ++m) first[m] += gamma * h * slope[m];
    if constexpr (order == 1) {
      for (std::size_t m = 0; m < n; ++m) self.x[m] += h * k1[m];
      for (std::size_t m = 0; m < nq; ++m) sum[m] += first[m];
    } else {
      States x(n), k2(n);
      Quadratures second(nq);
      for (std::size_t m = 0; m < n; ++m) x[m] = self.x[m] + h * k1[m];
      self.evaluate(t + (1.0 - gamma) * h, offset + (1.0 - gamma) * h, x.data(), k2.data(), second.data());
      for (std::size_t m = 0; m < n; ++m) k2[m] -= 2.0 * k1[m];
      self.solve(k2.data());
      self.quadrature_slopes(k2.data(), slope.data());
      for (std::size_t m = 0; m < n; ++m) self.x[m] += h * (1.5 * k1[m] + 0.5 * k2[m]);
      for (std::size_t m = 0; m < nq; ++m)
        sum[m] += 1.5 * first[m] + 0.5 * (second[m] - 2.0 * first[m] + gamma * h * slope[m]);
    }
  });
}

/// LU without exchanges, in place, row-major; for circuits too large for straight-line code, and trial runs. Real-time:
/// n^3/3 operations.
inline void factor_dense(double* a, auto n) noexcept {
  for (std::size_t k = 0; k < n; ++k) {
    const double reciprocal = 1.0 / a[k * n + k];
    a[k * n + k] = reciprocal;
    for (std::size_t row = k + 1; row < n; ++row) {
      const double factor = a[row * n + k] * reciprocal;
      a[row * n + k] = factor;
      if (factor == 0.0) continue;
      for (std::size_t column = k + 1; column < n; ++column) a[row * n + column] -= factor * a[k * n + column];
    }
  }
}

inline void solve_dense(const double* a, double* b, auto n) noexcept {
  for (std::size_t row = 1; row < n; ++row)
    for (std::size_t column = 0; column < row; ++column) b[row] -= a[row * n + column] * b[column];
  for (std::size_t row = n; row-- > 0;) {
    for (std::size_t column = row + 1; column < n; ++column) b[row] -= a[row * n + column] * b[column];
    b[row] *= a[row * n + row];
  }
}

template <std::size_t n>
inline void factor_dense(double* a) noexcept {
  factor_dense(a, std::integral_constant<std::size_t, n>{});
}

template <std::size_t n>
inline void solve_dense(const double* a, double* b) noexcept {
  solve_dense(a, b, std::integral_constant<std::size_t, n>{});
}

}  // namespace takt
