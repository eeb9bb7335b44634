#pragma once
// How long a thread takes that others of its CPU pre-empt.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "runtime/stats/histogram.hpp"

namespace takt {

/// What one release in a million exceeds, if the tail of the measured times is exponential from the median on:
/// P(X > p50 + x) = exp(-x/s)/2, with s such that neither p99.9 nor the largest of n is rarer than it was seen. A
/// rehearsal is too short to have seen the largest.
/// Source: exceedances of a high threshold, L. Cucu-Grosjean et al., ECRTS 2012, 91-101 (the lightest tail that is
/// not bounded).
[[nodiscard]] inline double one_in_a_million(const Percentiles& times, std::uint64_t n) noexcept {
  const double of_largest = std::log(0.5 * static_cast<double>(n < 4 ? 4 : n));
  const double s = std::max((times.p999 - times.p50) / std::log(0.5e3), (times.max - times.p50) / of_largest);
  return times.p50 + s * std::log(0.5e6);
}

struct PeriodicLoad {
  double period_us = 0.0, compute_us = 0.0;  ///< released together with the thread, which is the worst case
};

/// The least R = C + sum of ceil(R/T_j)*C_j, all in us.
/// Source: M. Joseph, P. Pandya, The Computer Journal 29(5), 1986, 390-395. Limits: fixed priorities, all of one CPU;
/// what they wait for besides is not in it.
/// @param limit_us  beyond it nobody wants to know  @return infinite where R is larger than that
[[nodiscard]] inline double response_time(double compute_us, std::span<const PeriodicLoad> above, double limit_us) {
  double response = compute_us;
  while (response <= limit_us) {
    double sum = compute_us;
    for (const PeriodicLoad& load : above) sum += std::ceil(response / load.period_us) * load.compute_us;
    if (sum <= response) return response;
    response = sum;
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace takt
