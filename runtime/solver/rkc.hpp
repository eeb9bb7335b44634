#pragma once
// Runge-Kutta-Chebyshev method of order 2 with s stages: explicit, stable on the negative real axis up to about
// 0.65 (s^2 - 1), so that s stages reach s/3 times as far as s steps of Euler's method. For diffusion.
//
//   Y_0 = x,  Y_1 = x + mu~_1 h F_0
//   Y_j = (1 - mu_j - nu_j) x + mu_j Y_(j-1) + nu_j Y_(j-2) + mu~_j h F_(j-1) + gamma~_j h F_0,   j = 2..s,   x <- Y_s
//
// Source: B. P. Sommeijer, L. F. Shampine, J. G. Verwer, RKC: an explicit solver for parabolic PDEs, J. Comput. Appl.
// Math. 88 (1998), eqs. (2.1)-(2.6), with eps = 2/13. Limit: near the imaginary axis it is stable in a narrow strip
// only.

#include <cmath>

#include "runtime/solver/window_steps.hpp"

namespace takt {

/// Coefficients. weight: of g_j in the integral of g over a step, g_j at stage j: what the recurrence makes of a
/// quadrature.
template <int most>
struct RkcCoefficients {
  double mu[most + 1] = {}, nu[most + 1] = {}, mu_tilde[most + 1] = {}, gamma_tilde[most + 1] = {}, c[most + 1] = {},
                   weight[most] = {};

  /// @pre 2 <= s <= most
  constexpr explicit RkcCoefficients(int s) {
    constexpr double damping = 2.0 / 13.0;
    const double w0 = 1.0 + damping / (s * s);
    double t[most + 1] = {1.0, w0}, d[most + 1] = {0.0, 1.0}, dd[most + 1] = {};  // T_j(w0) and derivatives
    for (int j = 2; j <= s; ++j) {
      t[j] = 2.0 * w0 * t[j - 1] - t[j - 2];
      d[j] = 2.0 * t[j - 1] + 2.0 * w0 * d[j - 1] - d[j - 2];
      dd[j] = 4.0 * d[j - 1] + 2.0 * w0 * dd[j - 1] - dd[j - 2];
    }
    const double w1 = d[s] / dd[s];
    double b[most + 1] = {};
    for (int j = 2; j <= s; ++j) b[j] = dd[j] / (d[j] * d[j]);
    b[0] = b[1] = b[2];
    mu_tilde[1] = b[1] * w1;
    for (int j = 2; j <= s; ++j) {
      mu[j] = 2.0 * b[j] * w0 / b[j - 1];
      nu[j] = -b[j] / b[j - 2];
      mu_tilde[j] = 2.0 * b[j] * w1 / b[j - 1];
      gamma_tilde[j] = -(1.0 - b[j - 1] * t[j - 1]) * mu_tilde[j];
      c[j] = w1 * dd[j] / d[j];
    }
    c[1] = mu_tilde[1];
    double before[most] = {}, last[most] = {mu_tilde[1]};
    for (int j = 2; j <= s; ++j) {
      double next[most] = {};
      for (int i = 0; i < s; ++i) next[i] = mu[j] * last[i] + nu[j] * before[i];
      next[j - 1] += mu_tilde[j];
      next[0] += gamma_tilde[j];
      for (int i = 0; i < s; ++i) before[i] = last[i], last[i] = next[i];
    }
    for (int i = 0; i < s; ++i) weight[i] = last[i];
  }
};

template <int s>
struct Rkc : RkcCoefficients<s> {
  static_assert(s >= 2);
  static constexpr int order = 2, stages = s;
  constexpr Rkc() : RkcCoefficients<s>(s) {}
};

/// The coefficients' s is that of the call here.
template <Stepped S>
inline void run_chebyshev(S& self, const Window& w, const auto& method, int s) noexcept {
  const auto n = states_of(self);
  const auto nq = quadratures_of(self);
  using Real = Number<S>;
  using States = Numbers<S::state_count, Real>;
  run_steps(self, w, [&](double t, double offset, double h, auto& sum) noexcept {
    States f0(n), f(n), y(n), before(n);
    Numbers<S::quadrature_count, Real> dq(nq);
    self.evaluate(t, offset, &self.x[0], f0.data(), dq.data());
    for (std::size_t m = 0; m < nq; ++m) sum[m] += method.weight[0] * dq[m];
    for (std::size_t m = 0; m < n; ++m) before[m] = self.x[m], y[m] = self.x[m] + method.mu_tilde[1] * h * f0[m];
    for (int j = 2; j <= s; ++j) {
      self.evaluate(t + method.c[j - 1] * h, offset + method.c[j - 1] * h, y.data(), f.data(), dq.data());
      for (std::size_t m = 0; m < nq; ++m) sum[m] += method.weight[j - 1] * dq[m];
      const double mu = method.mu[j], nu = method.nu[j], rest = 1.0 - mu - nu;
      const double by_last = method.mu_tilde[j] * h, by_first = method.gamma_tilde[j] * h;
      for (std::size_t m = 0; m < n; ++m) {
        const Real next = rest * self.x[m] + mu * y[m] + nu * before[m] + by_last * f[m] + by_first * f0[m];
        before[m] = y[m];
        y[m] = next;
      }
    }
    for (std::size_t m = 0; m < n; ++m) self.x[m] = y[m];
  });
}

/// Computes one window; S as in explicit_rk.hpp. Real-time: w.steps * s evaluations; no heap, no system call.
template <int s, Stepped S>
inline void run_rkc(S& self, const Window& w) noexcept {
  static constexpr Rkc<s> method{};
  run_chebyshev(self, w, method, s);
}

}  // namespace takt
