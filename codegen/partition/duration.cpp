#include "codegen/partition/duration.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace takt::codegen {

std::string duration_text(std::int64_t nanoseconds) {
  struct Scale {
    std::int64_t ns;
    std::string_view name;
  };
  constexpr std::array<Scale, 4> scales{{{1'000'000'000, " s"}, {1'000'000, " ms"}, {1'000, " us"}, {1, " ns"}}};
  if (nanoseconds == 0) return "0 s";
  const auto fits = std::find_if(scales.begin(), scales.end(), [&](const Scale& s) { return nanoseconds >= s.ns; });
  std::string text = std::to_string(nanoseconds / fits->ns);
  if (const std::int64_t rest = nanoseconds % fits->ns; rest != 0) {
    std::string digits = std::to_string(fits->ns + rest).substr(1);  // leading zeros kept
    digits.erase(digits.find_last_not_of('0') + 1);
    text += "." + digits;
  }
  return text.append(fits->name);
}

NearestDivisors nearest_divisors(std::int64_t period_ns, std::int64_t step_ns) {
  const std::int64_t step = std::clamp<std::int64_t>(step_ns, 1, period_ns);
  // A divisor is period/k; k counts up for smaller ones, down for larger ones. Both loops end: k = period, k = 1.
  std::int64_t more = (period_ns + step - 1) / step;
  while (period_ns % more != 0) ++more;
  std::int64_t fewer = period_ns / step;
  while (period_ns % fewer != 0) --fewer;
  return {period_ns / more, period_ns / fewer};
}

}  // namespace takt::codegen
