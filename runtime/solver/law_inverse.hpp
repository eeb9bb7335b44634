#pragma once
// Start of a storage whose law v = f(q) cannot be turned round in closed form: the q at which the law gives a value.
// Doubles of one sign are as many whole numbers in the same order, so halving their range finds the neighbours between
// which the law passes the value: no scale, slope or first guess is needed, and the result is exact to rounding. The
// law rises from q = 0 towards the value or, tried then, falls.
//
// Real-time: bounded; at most 2*64 evaluations of the law.

#include <bit>
#include <cstdint>
#include <limits>

#include "runtime/math/elementary.hpp"

namespace takt {

class LawInverse {
 public:
  static constexpr int most = 2 * 64;  ///< evaluations

  LawInverse() = default;
  explicit LawInverse(double wanted) noexcept : wanted_(wanted) {}
  /// Where the law is to be evaluated next.
  [[nodiscard]] double at() const noexcept { return begun_ ? side_ * std::bit_cast<double>(middle()) : 0.0; }
  /// What the law gives there.
  void take(double law) noexcept {
    if (done_) return;
    const double excess = law - wanted_;
    if (begun_) return narrow(excess);
    begun_ = true;
    at_zero_ = excess;
    if (math::abs(excess) <= tolerance(0.0)) return finish(0.0);
    side_ = excess > 0.0 ? -1.0 : 1.0;
  }
  /// q; NaN where the law gives the value nowhere.
  [[nodiscard]] double result() const noexcept { return result_; }

 private:
  static constexpr std::uint64_t largest = std::bit_cast<std::uint64_t>(std::numeric_limits<double>::max());

  [[nodiscard]] std::uint64_t middle() const noexcept { return near_ + (far_ - near_) / 2; }
  [[nodiscard]] double tolerance(double change) const noexcept {
    return 1e-14 * math::abs(wanted_) + 1e-9 * math::abs(change);
  }
  void finish(double q) noexcept {
    result_ = q;
    done_ = true;
  }
  /// What is not finite lies too far out.
  void narrow(double excess) noexcept {
    const double q = at();
    const bool before = at_zero_ > 0.0 ? excess > 0.0 : excess < 0.0;  // on the side of the value where q = 0 is
    (before ? near_ : far_) = middle();
    const double change = math::abs(at_zero_) < std::numeric_limits<double>::infinity() ? at_zero_ : wanted_;
    if (math::abs(excess) <= math::abs(best_)) best_ = excess, best_at_ = q;
    if (far_ - near_ > 1) return;
    if (math::abs(best_) <= tolerance(change)) return finish(best_at_);
    if (turned_) return finish(std::numeric_limits<double>::quiet_NaN());
    turned_ = true;
    side_ = -side_;
    near_ = 0, far_ = largest;
  }

  double wanted_ = 0.0, at_zero_ = 0.0, side_ = 1.0;
  double best_ = std::numeric_limits<double>::infinity(), best_at_ = 0.0;
  double result_ = std::numeric_limits<double>::quiet_NaN();
  std::uint64_t near_ = 0, far_ = largest;  ///< |q| as a whole number: the law has not passed the value; it has
  bool begun_ = false, turned_ = false, done_ = false;
};

}  // namespace takt
