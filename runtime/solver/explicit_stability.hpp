#pragma once
// Stability functions of the explicit methods, for those who ask whether a step is stable: the generator, and a plant
// whose parameters are changed.

#include "runtime/plant/step_stability.hpp"

namespace takt {

/// Coefficients of R(z) = 1 + sum_k r_k z^k, r_k = b^T A^(k-1) 1 (Hairer, Wanner II, sec. IV.2).
template <class Tableau>
struct StabilityPolynomial {
  double r[Tableau::stages] = {};
  constexpr StabilityPolynomial() {
    double power[Tableau::stages] = {};  // A^(k-1) 1
    for (double& one : power) one = 1.0;
    for (int k = 0; k < Tableau::stages; ++k) {
      double next[Tableau::stages] = {};
      for (int i = 0; i < Tableau::stages; ++i) {
        r[k] += Tableau::weight[i] * power[i];
        for (int j = 0; j < i; ++j) next[i] += Tableau::a[i][j] * power[j];
      }
      r[k] /= Tableau::divisor;
      for (int i = 0; i < Tableau::stages; ++i) power[i] = next[i];
    }
  }
};

/// Stability function of a tableau. A tableau whose real interval is longer than that of the classical ones says so:
/// `reach`.
template <class Tableau>
inline constexpr StepStability explicit_stability{[](int, ComplexValue z) {
                                                    constexpr StabilityPolynomial<Tableau> polynomial;
                                                    ComplexValue sum;
                                                    for (int k = Tableau::stages; k > 0; --k)
                                                      sum = z * (polynomial.r[k - 1] + sum);
                                                    return 1.0 + sum;
                                                  },
                                                  [](int) {
                                                    if constexpr (requires { Tableau::reach; })
                                                      return Tableau::reach;
                                                    else
                                                      return 4.0;
                                                  }};

/// R(z) = a_s + b_s T_s(w0 + w1 z).
inline constexpr StepStability chebyshev_stability{
    [](int s, ComplexValue z) -> ComplexValue {
      const double w0 = 1.0 + 2.0 / 13.0 / (s * s);
      double t = w0, t1 = 1.0, d = 1.0, d1 = 0.0, dd = 0.0, dd1 = 0.0;  // T_j(w0) and derivatives, and those before
      for (int j = 2; j <= s; ++j) {
        const double next_dd = 4.0 * d + 2.0 * w0 * dd - dd1, next_d = 2.0 * t + 2.0 * w0 * d - d1,
                     next_t = 2.0 * w0 * t - t1;
        dd1 = dd, dd = next_dd, d1 = d, d = next_d, t1 = t, t = next_t;
      }
      const ComplexValue w = w0 + d / dd * z;
      ComplexValue c = w, c1{1.0};
      for (int j = 2; j <= s; ++j) {
        const ComplexValue next = 2.0 * w * c - c1;
        c1 = c, c = next;
      }
      const double b = dd / (d * d);
      return 1.0 - b * t + b * c;
    },
    [](int s) { return 0.7 * s * s; }};

}  // namespace takt
