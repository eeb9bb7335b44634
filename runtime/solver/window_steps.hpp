#pragma once
// The steps of one window: times from whole nanoseconds, quadratures summed so that rounding stays small.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "runtime/plant/description.hpp"

namespace takt {

/// Calls step(t, s_in_window, h, sum) for every micro-step; it adds its mean quadrature rates to `sum` and advances the states.
/// q: set to h times their sum, in blocks of 64 steps as explicit_rk.hpp does. nq at least 1.
template <std::size_t nq, class Q, class Step>
inline void run_steps(Q& q, const Window& w, std::size_t used, Step&& step) noexcept {
  constexpr std::int32_t block = 64;
  const double h = static_cast<double>(w.step_ns) * 1e-9;
  double total[nq] = {};
  for (std::int32_t k = 0; k < w.steps;) {
    double sum[nq] = {};
    for (const std::int32_t end = std::min(w.steps, k + block); k < end; ++k) {
      const std::int64_t passed_ns = k * w.step_ns;
      step(static_cast<double>(w.start_ns + passed_ns) / 1e9, static_cast<double>(passed_ns) / 1e9, h, sum);
    }
    for (std::size_t m = 0; m < used; ++m) total[m] += sum[m];
  }
  for (std::size_t m = 0; m < used; ++m) q[m] = total[m] * h;
}

}  // namespace takt
