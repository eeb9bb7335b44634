#pragma once
// What the error of a recorded signal is measured by, for all who compare recordings.

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "runtime/solver/typical_change.hpp"

namespace takt {

/// Values of one signal over a run.
struct SignalExtent {
  double low = HUGE_VAL, high = -HUGE_VAL;

  void add(double value) noexcept { low = std::min(low, value), high = std::max(high, value); }
  [[nodiscard]] double range() const noexcept { return high - low; }
  [[nodiscard]] double magnitude() const noexcept { return std::max(std::abs(low), std::abs(high)); }
};

/// The least scale of each unit: a billionth of the largest magnitude among its signals (a difference of two
/// temperatures is no better than these) and `part` of their largest range (what rests is judged beside what moves);
/// with a part, of temperatures and pressures, whose zero is far away, also at least what counts as rest.
class LeastScales {
 public:
  explicit LeastScales(double part) : part_(part) {}

  void add(const std::string& unit, const SignalExtent& extent) {
    constexpr double rounding = 1e-9;
    double& most = of_[unit];
    most = std::max({most, rounding * extent.magnitude(), part_ * extent.range()});
    if (part_ > 0.0 && (unit == "K" || unit == "Pa")) most = std::max(most, resting_change(unit));
  }
  /// Range of a signal; its magnitude where the range is below a millionth of that. 1 where all that is zero.
  /// @pre add() has seen the unit
  [[nodiscard]] double scale(const std::string& unit, const SignalExtent& extent) const {
    constexpr double constant_range = 1e-6;
    const double own = extent.range() > constant_range * extent.magnitude() ? extent.range() : extent.magnitude();
    const double scale = std::max(own, of_.at(unit));
    return scale == 0.0 ? 1.0 : scale;
  }

 private:
  double part_;
  std::map<std::string, double> of_;
};

}  // namespace takt
