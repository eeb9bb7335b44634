#pragma once
// Two-dimensional tables: bilinear interpolation on a rectangular grid, ends held in both directions.
//   z(x, y) = lerp(lerp(z[i][k], z[i][k+1]; t), lerp(z[i+1][k], z[i+1][k+1]; t); s)
//   s = (x - x[i]) / (x[i+1] - x[i]) for x[i] <= x < x[i+1], t likewise in y; outside of the grid x and y are held at
//   its edge.
// The columns are the caller's, as those of table.hpp. An axis of one point makes the table constant along it.

#include <cstddef>
#include <cstdint>

#include "runtime/math/table.hpp"

namespace takt::math {

struct Table2View {
  TableView x, y;             ///< axes; their y columns are not used
  const double* z = nullptr;  ///< [x.n * y.n], z[i*y.n + k] at (x[i], y[k])
};

/// @pre nx, ny >= 1, x and y strictly increasing (the generator checks)
[[nodiscard]] constexpr Table2View make_table2_view(const double* x, std::uint32_t nx, const double* y,
                                                    std::uint32_t ny, const double* z) noexcept {
  return {make_table_view(x, nullptr, nx), make_table_view(y, nullptr, ny), z};
}

/// Where a value lies on an axis: between points `low` and `high`, at `share` of the way.
struct AxisPlace {
  std::uint32_t low = 0, high = 0;
  double share = 0.0;
  double width = 0.0;  ///< between the points where the value moves with the argument, else 0: beyond the ends
};

/// Share NaN for NaN. Real-time: wait-free, bounded as interval().
[[nodiscard]] constexpr AxisPlace place_on(const TableView& axis, double at) noexcept {
  if (axis.n < 2) return {0, 0, at == at ? 0.0 : at, 0.0};
  const std::uint32_t last = axis.n - 1;
  if (at < axis.x[0]) return {0, 1, 0.0, 0.0};
  if (at >= axis.x[last]) return {last - 1, last, 1.0, 0.0};
  const std::uint32_t k = interval(axis, at);
  const double width = axis.x[k + 1] - axis.x[k];
  return {k, k + 1, (at - axis.x[k]) / width, width};
}

/// Exact at both ends. Real-time: wait-free.
[[nodiscard]] constexpr double lerp(double from, double to, double share) noexcept {
  return share == 1.0 ? to : from + (to - from) * share;
}

/// Along y at point `row` of the x axis. Real-time: wait-free.
[[nodiscard]] constexpr double along_y(const Table2View& table, std::uint32_t row, const AxisPlace& y) noexcept {
  const double* z = table.z + static_cast<std::size_t>(row) * table.y.n;
  return lerp(z[y.low], z[y.high], y.share);
}

/// Difference along y at point `row` of the x axis. Real-time: wait-free.
[[nodiscard]] constexpr double rise_along_y(const Table2View& table, std::uint32_t row, const AxisPlace& y) noexcept {
  const double* z = table.z + static_cast<std::size_t>(row) * table.y.n;
  return z[y.high] - z[y.low];
}

/// Value of the table; NaN where an argument is. Real-time: wait-free, bounded as interval().
[[nodiscard]] constexpr double lookup2(const Table2View& table, double at_x, double at_y) noexcept {
  const AxisPlace x = place_on(table.x, at_x), y = place_on(table.y, at_y);
  return lerp(along_y(table, x.low, y), along_y(table, x.high, y), x.share);
}

/// Right-sided derivative with respect to x; 0 where x is held. Real-time: wait-free, bounded as interval().
[[nodiscard]] constexpr double slope2_x(const Table2View& table, double at_x, double at_y) noexcept {
  const AxisPlace x = place_on(table.x, at_x), y = place_on(table.y, at_y);
  return x.width > 0.0 ? (along_y(table, x.high, y) - along_y(table, x.low, y)) / x.width : 0.0;
}

/// Right-sided derivative with respect to y; 0 where y is held. Real-time: wait-free, bounded as interval().
[[nodiscard]] constexpr double slope2_y(const Table2View& table, double at_x, double at_y) noexcept {
  const AxisPlace x = place_on(table.x, at_x), y = place_on(table.y, at_y);
  return y.width > 0.0 ? lerp(rise_along_y(table, x.low, y), rise_along_y(table, x.high, y), x.share) / y.width : 0.0;
}

/// Mixed second derivative; 0 where x or y is held. Real-time: wait-free, bounded as interval().
[[nodiscard]] constexpr double slope2_xy(const Table2View& table, double at_x, double at_y) noexcept {
  const AxisPlace x = place_on(table.x, at_x), y = place_on(table.y, at_y);
  if (!(x.width > 0.0 && y.width > 0.0)) return 0.0;
  return (rise_along_y(table, x.high, y) - rise_along_y(table, x.low, y)) / (x.width * y.width);
}

}  // namespace takt::math
