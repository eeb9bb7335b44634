#pragma once
// Compensated summation. Source: A. Neumaier, Z. Angew. Math. Mech. 54 (1974) 39-51, algorithm IV.

#include <cmath>

namespace takt {

/// Sum whose error does not grow with the number of terms (to first order: 2 units in the last place of sum |term|).
/// Real-time: four additions and a comparison.
class NeumaierSum {
 public:
  void add(double term) noexcept {
    const double total = sum_ + term;
    rest_ += std::abs(sum_) >= std::abs(term) ? (sum_ - total) + term : (term - total) + sum_;
    sum_ = total;
  }
  [[nodiscard]] double value() const noexcept { return sum_ + rest_; }
  /// value() - other.value(), with the parts subtracted apart so that nothing is lost twice.
  [[nodiscard]] double minus(const NeumaierSum& other) const noexcept {
    return (sum_ - other.sum_) + (rest_ - other.rest_);
  }

 private:
  double sum_ = 0.0, rest_ = 0.0;
};

}  // namespace takt
