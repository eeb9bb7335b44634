#pragma once
// Simulated time and wall time. Both count nanoseconds, but a sum of one of each has no meaning, so they are different
// types: what mixes them does not compile. The only way from one to the other is at_real_time().

#include <compare>
#include <cstdint>

namespace takt {

/// How long something lasts on one time line.
template <class Line>
class Duration {
 public:
  constexpr Duration() noexcept = default;
  constexpr explicit Duration(std::int64_t ns) noexcept : ns_(ns) {}
  [[nodiscard]] constexpr std::int64_t ns() const noexcept { return ns_; }
  [[nodiscard]] constexpr double seconds() const noexcept { return static_cast<double>(ns_) * 1e-9; }

  constexpr Duration& operator+=(Duration other) noexcept { return *this = *this + other; }
  [[nodiscard]] friend constexpr Duration operator+(Duration a, Duration b) noexcept { return Duration{a.ns_ + b.ns_}; }
  [[nodiscard]] friend constexpr Duration operator-(Duration a, Duration b) noexcept { return Duration{a.ns_ - b.ns_}; }
  [[nodiscard]] friend constexpr Duration operator*(Duration a, std::int64_t times) noexcept {
    return Duration{a.ns_ * times};
  }
  [[nodiscard]] friend constexpr Duration operator/(Duration a, std::int64_t parts) noexcept {
    return Duration{a.ns_ / parts};
  }
  /// How often b fits into a.
  [[nodiscard]] friend constexpr std::int64_t operator/(Duration a, Duration b) noexcept { return a.ns_ / b.ns_; }
  [[nodiscard]] friend constexpr Duration operator%(Duration a, Duration b) noexcept { return Duration{a.ns_ % b.ns_}; }
  friend constexpr auto operator<=>(Duration, Duration) noexcept = default;

 private:
  std::int64_t ns_ = 0;
};

/// A moment on one time line, counted from its origin.
template <class Line>
class TimePoint {
 public:
  constexpr TimePoint() noexcept = default;
  constexpr explicit TimePoint(std::int64_t ns) noexcept : ns_(ns) {}
  [[nodiscard]] constexpr std::int64_t ns() const noexcept { return ns_; }
  [[nodiscard]] constexpr double seconds() const noexcept { return static_cast<double>(ns_) * 1e-9; }
  [[nodiscard]] constexpr Duration<Line> since_origin() const noexcept { return Duration<Line>{ns_}; }

  constexpr TimePoint& operator+=(Duration<Line> d) noexcept { return *this = *this + d; }
  [[nodiscard]] friend constexpr TimePoint operator+(TimePoint t, Duration<Line> d) noexcept {
    return TimePoint{t.ns_ + d.ns()};
  }
  [[nodiscard]] friend constexpr TimePoint operator-(TimePoint t, Duration<Line> d) noexcept {
    return TimePoint{t.ns_ - d.ns()};
  }
  [[nodiscard]] friend constexpr Duration<Line> operator-(TimePoint a, TimePoint b) noexcept {
    return Duration<Line>{a.ns_ - b.ns_};
  }
  friend constexpr auto operator<=>(TimePoint, TimePoint) noexcept = default;

 private:
  std::int64_t ns_ = 0;
};

struct SimulatedLine;  ///< origin: the start of the run
struct WallLine;       ///< CLOCK_MONOTONIC

using SimTime = TimePoint<SimulatedLine>;
using SimDuration = Duration<SimulatedLine>;
using WallTime = TimePoint<WallLine>;
using WallDuration = Duration<WallLine>;

/// What a simulated duration takes where the plant keeps pace with the world: the only way from simulated to wall time.
[[nodiscard]] constexpr WallDuration at_real_time(SimDuration d) noexcept { return WallDuration{d.ns()}; }

}  // namespace takt
