#pragma once
// Numbers of several copies of a part side by side in a vector register, one copy in each lane, and the functions of
// elementary.hpp and of tables of them. Each lane has the bits of the function of one number: every lane goes through
// the same operations, whatever stands beside it; functions without a form for vectors are called lane by lane.
//
// Real-time: wait-free, bounded as so many single calls.

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "runtime/math/elementary.hpp"
#include "runtime/math/log_kernel.hpp"
#include "runtime/math/side_by_side.hpp"
#include "runtime/math/table.hpp"
#include "runtime/math/table2.hpp"

namespace takt {

using Lanes = math::detail::Side;
/// What comparisons of Lanes give: all bits of a lane, or none.
using LaneTruths [[gnu::vector_size(sizeof(Lanes))]] = std::int64_t;

/// A number and lanes.
template <class Real>
concept LaneOperand = std::same_as<Real, Lanes> || std::same_as<Real, double>;
template <class First, class Second>
concept AnyLanes = LaneOperand<First> && LaneOperand<Second> &&
    (std::same_as<First, Lanes> || std::same_as<Second, Lanes>);

/// The same number in all lanes; -0.0 keeps its sign.
[[nodiscard]] inline Lanes in_lanes(double x) noexcept {
  Lanes all{};
  for (std::size_t lane = 0; lane < math::lanes; ++lane) all[lane] = x;
  return all;
}
[[nodiscard]] inline Lanes in_lanes(Lanes x) noexcept { return x; }

[[nodiscard]] inline bool any(LaneTruths truths) noexcept {
  std::int64_t all = 0;
  for (std::size_t lane = 0; lane < math::lanes; ++lane) all |= truths[lane];
  return all != 0;
}
[[nodiscard]] inline bool every(LaneTruths truths) noexcept { return !any(~truths); }

namespace math {

namespace detail {

/// function(x[lane], ...) lane by lane.
template <class Function>
[[nodiscard]] inline Lanes lane_by_lane(const Function& function, Lanes x) noexcept {
  for (std::size_t lane = 0; lane < lanes; ++lane) x[lane] = function(x[lane]);
  return x;
}
template <class Function>
[[nodiscard]] inline Lanes lane_by_lane(const Function& function, Lanes x, Lanes y) noexcept {
  for (std::size_t lane = 0; lane < lanes; ++lane) x[lane] = function(x[lane], y[lane]);
  return x;
}

using OfOne = double (*)(double) noexcept;
struct OfTable {
  const Table2View& table;
  double (*function)(const Table2View&, double, double) noexcept;
};
[[nodiscard]] inline Lanes in_table(const OfTable& of, LaneOperand auto a, LaneOperand auto b) noexcept {
  return lane_by_lane([&](double x, double y) noexcept { return of.function(of.table, x, y); }, in_lanes(a),
                      in_lanes(b));
}

[[nodiscard]] inline bool all_normal(Lanes x) noexcept {  // and positive
  using Bits = BitsOf<Lanes>;
  const Bits bits = std::bit_cast<Bits>(x) - 0x0010'0000'0000'0000U;
  return every(std::bit_cast<LaneTruths>(bits < Bits{} + 0x7FE0'0000'0000'0000U));
}

}  // namespace detail

[[nodiscard]] inline Lanes abs(Lanes x) noexcept {
  return std::bit_cast<Lanes>(std::bit_cast<LaneTruths>(x) & INT64_MAX);
}
[[nodiscard]] inline Lanes sqrt(Lanes x) noexcept {
  return detail::lane_by_lane([](double a) noexcept { return sqrt(a); }, x);  // compilers know the vector's
}
[[nodiscard]] inline Lanes floor(Lanes x) noexcept {
  return detail::lane_by_lane([](double a) noexcept { return floor(a); }, x);
}
[[nodiscard]] inline Lanes sign(Lanes x) noexcept {
  return x > 0.0 ? in_lanes(1.0) : x < 0.0 ? in_lanes(-1.0) : Lanes{};
}
template <class First, class Second>
requires AnyLanes<First, Second>
[[nodiscard]] inline Lanes min(First a, Second b) noexcept {
  const Lanes first = in_lanes(a), second = in_lanes(b);
  return second < first ? second : first;
}
template <class First, class Second>
requires AnyLanes<First, Second>
[[nodiscard]] inline Lanes max(First a, Second b) noexcept {
  const Lanes first = in_lanes(a), second = in_lanes(b);
  return first < second ? second : first;
}
template <class First, class Second>
requires AnyLanes<First, Second>
[[nodiscard]] inline Lanes mod(First a, Second b) noexcept { return a - b * floor(in_lanes(a) / b); }

[[nodiscard]] inline Lanes exp(Lanes x) noexcept {
  if (every(abs(x) < exp_range)) [[likely]]
    return exp_within(x, Lanes{});
  return detail::lane_by_lane([](double a) noexcept { return exp(a); }, x);
}
[[nodiscard]] inline Lanes log(Lanes x) noexcept {
  if (!detail::all_normal(x)) [[unlikely]]
    return detail::lane_by_lane([](double a) noexcept { return log(a); }, x);
  const TwoParts<Lanes> parts = log_parts(x);
  return parts.high + parts.low;
}
template <class First, class Second>
requires AnyLanes<First, Second>
[[nodiscard]] inline Lanes pow(First a, Second b) noexcept {
  const Lanes x = in_lanes(a), y = in_lanes(b);
  if (detail::all_normal(x) && every(abs(y) < power_range)) [[likely]] {
    const TwoParts<Lanes> exponent = power_parts(x, y);
    if (every(abs(exponent.high) < exp_range)) [[likely]]
      return exp_within(exponent.high, exponent.low);
  }
  return detail::lane_by_lane([](double base, double to) noexcept { return pow(base, to); }, x, y);
}
template <std::size_t n>
inline void exp_each(std::array<Lanes, n>& x) noexcept {
  for (Lanes& one : x) one = exp(one);
}
template <std::size_t n>
inline void log_each(std::array<Lanes, n>& x) noexcept {
  for (Lanes& one : x) one = log(one);
}
template <std::size_t n>
inline void pow_each(std::array<Lanes, n>& x, const std::array<Lanes, n>& y) noexcept {
  for (std::size_t i = 0; i < n; ++i) x[i] = pow(x[i], y[i]);
}

// --- lane by lane
[[nodiscard]] inline Lanes sin(Lanes x) noexcept { return detail::lane_by_lane(detail::OfOne{sin}, x); }
[[nodiscard]] inline Lanes cos(Lanes x) noexcept { return detail::lane_by_lane(detail::OfOne{cos}, x); }
[[nodiscard]] inline Lanes tan(Lanes x) noexcept { return detail::lane_by_lane(detail::OfOne{tan}, x); }
[[nodiscard]] inline Lanes asin(Lanes x) noexcept { return detail::lane_by_lane(detail::OfOne{asin}, x); }
[[nodiscard]] inline Lanes acos(Lanes x) noexcept { return detail::lane_by_lane(detail::OfOne{acos}, x); }
[[nodiscard]] inline Lanes atan(Lanes x) noexcept { return detail::lane_by_lane(detail::OfOne{atan}, x); }
[[nodiscard]] inline Lanes tanh(Lanes x) noexcept { return detail::lane_by_lane(detail::OfOne{tanh}, x); }
template <class First, class Second>
requires AnyLanes<First, Second>
[[nodiscard]] inline Lanes atan2(First a, Second b) noexcept {
  return detail::lane_by_lane([](double y, double x) noexcept { return atan2(y, x); }, in_lanes(a), in_lanes(b));
}
[[nodiscard]] inline Lanes lookup(const TableView& table, Lanes at) noexcept {
  return detail::lane_by_lane([&](double x) noexcept { return lookup(table, x); }, at);
}
[[nodiscard]] inline Lanes slope(const TableView& table, Lanes at) noexcept {
  return detail::lane_by_lane([&](double x) noexcept { return slope(table, x); }, at);
}
template <class First, class Second>
requires AnyLanes<First, Second>
[[nodiscard]] inline Lanes lookup2(const Table2View& table, First a, Second b) noexcept {
  return detail::in_table({table, lookup2}, a, b);
}
template <class First, class Second>
requires AnyLanes<First, Second>
[[nodiscard]] inline Lanes slope2_x(const Table2View& table, First a, Second b) noexcept {
  return detail::in_table({table, slope2_x}, a, b);
}
template <class First, class Second>
requires AnyLanes<First, Second>
[[nodiscard]] inline Lanes slope2_y(const Table2View& table, First a, Second b) noexcept {
  return detail::in_table({table, slope2_y}, a, b);
}
template <class First, class Second>
requires AnyLanes<First, Second>
[[nodiscard]] inline Lanes slope2_xy(const Table2View& table, First a, Second b) noexcept {
  return detail::in_table({table, slope2_xy}, a, b);
}

}  // namespace math
}  // namespace takt
