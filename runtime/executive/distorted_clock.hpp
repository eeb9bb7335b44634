#pragma once
// For tests of several hosts on one machine: a clock of their own for each.

#include <algorithm>

#include "runtime/executive/clock.hpp"

namespace takt {

/// The system's clock, faster by some parts in a million since its making, and ahead by a jump from some time on.
class DistortedClock final : public Clock {
 public:
  struct Settings {
    double ppm = 0.0;
    WallDuration jump{};   ///< above zero: ahead
    WallDuration after{};  ///< the making
  };
  explicit DistortedClock(const Settings& settings) : settings_(settings) {
    ns_per_tick_ = clock_.ns_per_tick();
    made_ = clock_.now();
  }
  [[nodiscard]] WallTime now() noexcept override { return shown_at(clock_.now()); }
  void sleep_until(WallTime time) noexcept override { clock_.sleep_until(when_shown(time)); }
  void spin_until(WallTime time) noexcept override {
    while (now() < time) {
    }
  }
  void yield() noexcept override { clock_.yield(); }
  [[nodiscard]] std::uint64_t ticks() noexcept override { return clock_.ticks(); }
  [[nodiscard]] std::uint64_t ticks_in_passing() noexcept override { return clock_.ticks_in_passing(); }

 private:
  [[nodiscard]] WallTime shown_at(WallTime real) const noexcept {
    const WallDuration since = real - made_;
    const auto gained = static_cast<std::int64_t>(static_cast<double>(since.ns()) * settings_.ppm * 1e-6);
    return real + WallDuration{gained} + (since >= settings_.after ? settings_.jump : WallDuration{});
  }
  /// The earliest that is not before it; a jump is not foreseen.
  [[nodiscard]] WallTime when_shown(WallTime shown) noexcept {
    const WallTime real = clock_.now();
    const double left = static_cast<double>((shown - shown_at(real)).ns());
    return real + WallDuration{static_cast<std::int64_t>(left / (1.0 + settings_.ppm * 1e-6))};
  }

  SystemClock clock_;
  Settings settings_;
  WallTime made_;
};

}  // namespace takt
