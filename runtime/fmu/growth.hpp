#pragma once
// What explodes is a number for long: 7e94 V is no value of a model, and no result.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace takt::fmu {

/// Bounds of values by where they begin. Values that are no numbers are nobody's growth.
class Growth {
 public:
  static constexpr double most = 1e30;
  static constexpr std::size_t none = ~std::size_t{0};
  explicit Growth(std::size_t count) : limits_(count, most) {}
  /// @param nominals  sizes of the values; empty: 1
  void begin(std::span<const double> values, std::span<const double> nominals) noexcept {
    for (std::size_t k = 0; k < limits_.size(); ++k) {
      const double size = std::max(nominals.empty() ? 1.0 : nominals[k], std::fabs(values[k]));
      limits_[k] = size > 0.0 ? most * size : most;
    }
  }
  /// Index of the first value beyond, or none. Real-time.
  [[nodiscard]] std::size_t beyond(std::span<const double> values) const noexcept {
    for (std::size_t k = 0; k < limits_.size(); ++k)
      if (std::fabs(values[k]) > limits_[k]) return k;
    return none;
  }

 private:
  std::vector<double> limits_;
};

}  // namespace takt::fmu
