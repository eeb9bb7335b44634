#include "codegen/stability/divisors.hpp"

#include <algorithm>

namespace takt::codegen {

NearestDivisors nearest_divisors(std::int64_t period_ns, std::int64_t step_ns) {
  const std::int64_t step = std::clamp<std::int64_t>(step_ns, 1, period_ns);
  // A divisor is period/k; k counts up for smaller ones, down for larger ones. Both loops end: k =
  // period, k = 1.
  std::int64_t more = (period_ns + step - 1) / step;
  while (period_ns % more != 0) ++more;
  std::int64_t fewer = period_ns / step;
  while (period_ns % fewer != 0) --fewer;
  return {period_ns / more, period_ns / fewer};
}

}  // namespace takt::codegen
