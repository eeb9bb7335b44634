#pragma once
// What the error of a recorded signal is measured by, for all who compare recordings.

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>

#include "runtime/solver/typical_change.hpp"

namespace takt {

/// Values of one signal over a run.
struct SignalExtent {
  double low = HUGE_VAL, high = -HUGE_VAL;

  void add(double value) noexcept { low = std::min(low, value), high = std::max(high, value); }
  [[nodiscard]] double range() const noexcept { return high - low; }
  [[nodiscard]] double magnitude() const noexcept { return std::max(std::abs(low), std::abs(high)); }
};

/// Whether a finer plan confirms what a signal moves by. What should rest moves by errors of larger signals, and these
/// shrink with the times of a plan.
/// @param part  that is left of such errors at most: finer times make them smaller
[[nodiscard]] inline bool is_confirmed(double coarser_range, double finer_range, double part) noexcept {
  return std::isfinite(coarser_range) && finer_range > 0.0 && finer_range >= part * coarser_range;
}

/// Of the largest magnitude of a unit: what moves by less may be rounding of it, or what iterations leave. Numbers
/// without a unit need not have anything in common: a pressure and a share, in equations that came without units.
[[nodiscard]] inline double rounding_beside(std::string_view unit) noexcept {
  return unit.empty() || unit == "1" ? 1e-12 : 1e-9;
}

/// The least scale of each unit: the part of the largest magnitude among its signals that may be rounding (a difference
/// of two temperatures is no better than these) and `part` of their largest range (what rests is judged beside what
/// moves); with a part, of temperatures and pressures, whose zero is far away, also at least what counts as rest.
class LeastScales {
 public:
  explicit LeastScales(double part) : part_(part) {}

  void add(const std::string& unit, const SignalExtent& extent) {
    Least& least = of_[unit];
    least.largest = std::max(least.largest, extent.magnitude());
    least.usual = std::max({least.usual, rounding_beside(unit) * extent.magnitude(), part_ * extent.range()});
    if (part_ > 0.0 && (unit == "K" || unit == "Pa")) least.at_rest = resting_change(unit);
  }
  /// Range of a signal; its magnitude where the range is below a millionth of that. 1 where all that is zero.
  /// @param confirmed  by a finer plan: a signal that is merely small, not what larger ones leave of their errors
  /// @pre add() has seen the unit
  [[nodiscard]] double scale(const std::string& unit, const SignalExtent& extent, bool confirmed = false) const {
    constexpr double constant_range = 1e-6;
    const Least& least = of_.at(unit);
    const bool on_its_own = confirmed && extent.range() >= rounding_beside(unit) * least.largest;
    const double own = extent.range() > constant_range * extent.magnitude() ? extent.range() : extent.magnitude();
    const double scale = std::max({own, on_its_own ? 0.0 : least.usual, least.at_rest});
    return scale == 0.0 ? 1.0 : scale;
  }

 private:
  struct Least {
    double usual = 0.0, at_rest = 0.0, largest = 0.0;
  };
  double part_;
  std::map<std::string, Least> of_;
};

}  // namespace takt
