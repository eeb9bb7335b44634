#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace takt::tools {

/// Middle value; the mean of the two where their number is even.  @pre not empty
[[nodiscard]] inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

}  // namespace takt::tools
