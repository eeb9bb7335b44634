#pragma once
// Divisors of a synchronisation time.

#include <cstdint>

namespace takt::codegen {

struct NearestDivisors {
  std::int64_t below = 0;  ///< largest divisor of the period that is <= the step, ns
  std::int64_t above = 0;  ///< smallest divisor of the period that is >= the step, ns
};

/// @pre period_ns > 0, step_ns > 0
[[nodiscard]] NearestDivisors nearest_divisors(std::int64_t period_ns, std::int64_t step_ns);

}  // namespace takt::codegen
