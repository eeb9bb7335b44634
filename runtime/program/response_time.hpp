#pragma once
// How long a thread takes that others of its CPU pre-empt.

#include <cmath>
#include <limits>
#include <span>

namespace takt {

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
